import HTTP

/// One redaction at work on the exchanges of one recording: first all are looked through, then secrets are replaced.
struct RedactionPass: Sendable {
  private let redaction: Redaction
  private let rules: RedactionRules
  /// What large bodies say, by their length: each is looked at three times.
  private var readings: [Int: [RedactionReading]] = [:]
  /// Whether they are kept; not where exchanges pass by that are never in memory together.
  private let keepsReadings: Bool
  /// What the texts of the exchange say that was looked through last, in their order: it is redacted next.
  private var latest: (readings: [RedactionReading], next: Int, isOpen: Bool) = ([], 0, false)
  /// The secrets found so far.
  var vault = RedactionVault()
  /// Aliases that were there before anything was replaced; their numbers mean something else.
  private(set) var foreignNumbers: Set<Int> = []
  /// The numbers that secrets have in bodies that are written already.
  var pinned: [[UInt8]: Int] = [:]
  private var looksForNew = true
  /// Whether what is looked at was sent: nobody decodes it, and a number need not stay one.
  private var isSent = false

  init(_ redaction: Redaction, keepsReadings: Bool = true) {
    self.redaction = redaction
    self.keepsReadings = keepsReadings
    rules = RedactionRules(redaction)
    // In an order of their own: a set has another one each time.
    for case .value(let value) in redaction.redacted.sorted(by: { "\($0)" < "\($1)" }) where !value.isEmpty {
      _ = vault.secret(Array(value.utf8))
    }
  }

  // MARK: Exchanges

  /// Looks for secrets, so that they are found everywhere.
  mutating func collect(_ interaction: Interaction) throws(CassetteError) {
    guard redaction.isOn else { return }
    latest = ([], 0, true)
    defer { latest.isOpen = false }
    _ = try replacing(in: interaction, isCollecting: true)
  }

  /// The exchange with aliases in the place of secrets; only of those that are known, if a person may have written it.
  mutating func redacting(_ interaction: Interaction, onlyKnown: Bool = false) throws(CassetteError) -> Interaction {
    guard redaction.isOn, !onlyKnown || vault.hasPatterns else { return interaction }
    looksForNew = !onlyKnown
    defer { looksForNew = true }
    latest.next = 0
    return try replacing(in: interaction, isCollecting: false)
  }

  /// A text with the same mask in the place of every secret.
  mutating func masking(_ text: String) -> String {
    let redacted = redaction.isOn ? replacing(in: text, .text, false) ?? text : text
    return SecretAlias.neutral(redacted).text.replacing("{{secret:}}", with: SecretNames.mask)
  }

  /// Takes in the secrets of a field that no exchange will show.
  ///
  /// - Returns: What they are, as far as they are text and looked for everywhere.
  mutating func learn(_ name: String, _ value: String) -> [String] {
    let bytes = Array(value.utf8)
    guard redaction.isOn, redaction.takesOut(header: name),
      let found = RedactionFinder.credential(bytes.indices, bytes, ofField: name)
    else { return [] }
    let secrets = ([found.value] + found.others + found.parts).filter { !RedactionVault.isTrivial($0, isNamed: true) }
    let texts = secrets.compactMap { String(validating: $0, as: UTF8.self) }
    for text in texts where !redaction.kept.contains(.value(text)) { _ = vault.secret(Array(text.utf8)) }
    return texts.filter { !redaction.kept.contains(.value($0)) }
  }

  private mutating func replacing(
    in interaction: Interaction, isCollecting: Bool
  ) throws(CassetteError) -> Interaction {
    var result = interaction
    if let url = replacing(in: interaction.url, .url, isCollecting) { result.url = url }
    if let headers = replacing(in: interaction.requestHeaders, isCollecting) { result.requestHeaders = headers }
    isSent = true
    defer { isSent = false }
    if let body = try replacing(in: interaction.requestBody, interaction.requestHeaders, isCollecting) {
      result.requestBody = body
    }
    isSent = false
    switch interaction.outcome {
    case .response(var response):
      var hasChanged = false
      if let reason = response.reason.flatMap({ replacing(in: $0, .text, isCollecting) }) {
        response.reason = reason
        hasChanged = true
      }
      if let headers = replacing(in: response.headers, isCollecting) {
        response.headers = headers
        hasChanged = true
      }
      for index in response.interim.indices {
        if let headers = replacing(in: response.interim[index].headers, isCollecting) {
          response.interim[index].headers = headers
          hasChanged = true
        }
      }
      if let trailers = replacing(in: response.trailers, isCollecting) {
        response.trailers = trailers
        hasChanged = true
      }
      if let body = try replacing(in: response.body, response.headers, isCollecting) {
        response.body = body
        hasChanged = true
      }
      if hasChanged { result.outcome = .response(response) }
    case .failure(var failure):
      if let name = replacing(in: failure.name, .text, isCollecting) {
        failure.name = name
        result.outcome = .failure(failure)
      }
    }
    return result
  }

  private mutating func replacing(in text: String, _ context: RedactionReading.Context, _ isCollecting: Bool) -> String?
  {
    let bytes = Array(text.utf8)
    let claims = claims(in: reading(of: bytes, context), isCollecting)
    guard !isCollecting, !claims.isEmpty else { return nil }
    return String(decoding: claims.applied(to: bytes, &vault), as: UTF8.self)
  }

  private mutating func replacing(in headers: HTTPHeaders, _ isCollecting: Bool) -> HTTPHeaders? {
    var fields: [HTTPHeaders.Field] = []
    var hasChanged = false
    for var field in headers {
      if let value = replacing(in: field.value, .header(field.name.lowercased()), isCollecting) {
        field.value = value
        hasChanged = true
      }
      fields.append(field)
    }
    return hasChanged ? HTTPHeaders(fields: fields) : nil
  }

  private mutating func replacing(
    in body: Body?, _ headers: HTTPHeaders, _ isCollecting: Bool
  ) throws(CassetteError) -> Body? {
    guard let body else { return nil }
    if let file = try body.openLongFile(), try !holdsSecret(file, body, isCollecting) { return nil }
    let bytes = try body.bytes()
    let type = headers["Content-Type"].flatMap { MediaType($0) }
    let context: RedactionReading.Context =
      switch (type?.type, type?.subtype) {
      case ("application", "x-www-form-urlencoded"): .form
      case ("multipart", _): .multipart(boundary: type?.parameter("boundary") ?? "")
      default: .body
      }
    let claims = claims(in: reading(of: bytes, context), isCollecting)
    guard !isCollecting, !claims.isEmpty else { return nil }
    guard case .chunks(let chunks, let end) = body.form else { return .storing(claims.applied(to: bytes, &vault)) }
    let pieces = claims.applied(to: chunks.map(\.bytes), &vault)
    return .chunks(zip(chunks, pieces).map { BodyChunk(after: $0.after, bytes: $1) }, end: end)
  }

  // MARK: Long bodies

  /// Whether a known secret stands in a file: such a body was redacted before, with what was known then.
  private mutating func holdsSecret(
    _ file: BodyFile, _ body: Body, _ isCollecting: Bool
  ) throws(CassetteError) -> Bool {
    guard isCollecting || vault.hasPatterns else { return false }
    var isFound = false
    var numbers: Set<Int> = []
    try file.eachPart(overlap: 16 << 10) { part in
      if isCollecting {
        numbers.formUnion(SecretAlias.numbers(in: part))
      } else {
        RedactionView.each(of: part) { view in
          vault.search(view.bytes) { _, _ in isFound = true }
          vault.searchBase64(in: view.bytes) { _, _ in isFound = true }
        }
      }
      return !isFound
    }
    if isCollecting { foreignNumbers.formUnion(numbers.subtracting(pinned.values)) }
    return isFound
  }

  /// Redacts a part of a body that is never seen as a whole.
  ///
  /// - Parameters:
  ///   - bytes: The part, with what stands before and behind it.
  ///   - range: Where in them the part is; it may end sooner or later, so that it ends between secrets.
  ///   - isLast: Whether nothing follows.
  ///   - isForm: Whether it is of a form.
  ///   - scanner: What knows tokens by their shape.
  /// - Returns: The part as it may be kept, the secrets whose aliases are in it, and where it ended.
  mutating func redacting(
    part bytes: [UInt8], _ range: Range<Int>, isLast: Bool, isForm: Bool, _ scanner: SecretScanner
  ) -> (bytes: [UInt8], secrets: Set<Int>, end: Int) {
    guard redaction.isOn else { return (Array(bytes[range]), [], range.upperBound) }
    let reading = RedactionReading(bytes, isForm ? .form : .text, rules)
    _ = claims(in: reading, true)
    for token in scanner.tokens(in: bytes) { _ = vault.secret(Array(token.utf8)) }
    let claims = claims(in: reading, false)
    var end = range.upperBound
    if !isLast, let claim = claims.claims.first(where: { $0.range.lowerBound < end && $0.range.upperBound > end }) {
      // What reaches the end of what is seen may go on behind it, and waits, unless it is all there is.
      end =
        claim.range.upperBound < bytes.count || claim.range.lowerBound <= range.lowerBound
        ? claim.range.upperBound : claim.range.lowerBound
    }
    var secrets: Set<Int> = []
    let output = claims.applied(to: bytes, in: range.lowerBound..<end, &vault, &secrets)
    return (output, secrets, end)
  }

  // MARK: Texts

  private mutating func reading(of bytes: [UInt8], _ context: RedactionReading.Context) -> RedactionReading {
    if latest.next < latest.readings.count {
      let reading = latest.readings[latest.next]
      latest.next += 1
      if reading.context == context, ByteSearch.isSame(reading.bytes, bytes) { return reading }
    }
    guard keepsReadings, bytes.count >= 16 << 10 else {
      let reading = RedactionReading(bytes, context, rules)
      if !keepsReadings, latest.isOpen {
        latest.readings.append(reading)
        latest.next += 1
      }
      return reading
    }
    for reading in readings[bytes.count] ?? [] where reading.context == context {
      if ByteSearch.isSame(reading.bytes, bytes) { return reading }
    }
    let reading = RedactionReading(bytes, context, rules)
    readings[bytes.count, default: []].append(reading)
    return reading
  }

  private mutating func claims(in reading: RedactionReading, _ isCollecting: Bool) -> RedactionClaims {
    var claims = RedactionClaims()
    if isCollecting { foreignNumbers.formUnion(reading.numbers) }
    claims.kept = reading.kept
    for place in reading.atPaths { take(place, &claims, isByName: false) }
    if !isCollecting, case .body = reading.context { claimNumbers(reading.bytes, &claims) }
    for place in reading.named { take(place, &claims) }
    if !isCollecting { reading.matches.find(vault, in: reading) }
    let matches = isCollecting ? [] : reading.matches.views
    for view in matches { for (range, secret) in view.plain { claims.insert(range, .alias(secret)) } }
    for (index, view) in reading.views.enumerated() {
      for inner in view.inner { claim(inner, isCollecting, &claims) }
      guard index < matches.count else { continue }
      for (range, secret) in matches[index].base64 { claims.insert(range, .alias(secret)) }
    }
    return claims
  }

  /// Takes a secret in, unless it was allowed, and claims its place.
  private mutating func take(
    _ place: RedactionReading.Place, _ claims: inout RedactionClaims, isByName: Bool = true
  ) {
    guard looksForNew else { return }
    let found = place.found
    let text = String(decoding: found.value, as: UTF8.self)
    guard !redaction.kept.contains(.value(text)), !SecretNames.isPlaceholder(text) else { return }
    guard !claims.kept.contains(where: { $0.overlaps(place.range) }) else { return }
    let secret = vault.secret(found.value, or: found.others, isNamed: found.isNamed)
    for part in found.parts { _ = vault.secret(part) }
    claims.insert(place.range, found.isNumber ? (isByName ? .zero : number(secret)) : .alias(secret))
  }

  /// Claims text in base64, and gives it back as base64.
  private mutating func claim(
    _ inner: RedactionReading.Inner, _ isCollecting: Bool, _ claims: inout RedactionClaims
  ) {
    let decoded = inner.reading.bytes
    let within = self.claims(in: inner.reading, isCollecting)
    guard !within.isEmpty else { return }
    claims.insert(inner.range, within.whole(of: decoded.count) ?? .base64(of: decoded, within, inner.manner))
  }

  /// Claims secrets of digits where they are numbers of JSON: an alias there would not be JSON.
  private func claimNumbers(_ bytes: [UInt8], _ claims: inout RedactionClaims) {
    guard vault.hasNumbers else { return }
    var isThere = false
    vault.search(bytes) { range, _ in isThere = isThere || bytes[range].contains { $0 &- 0x30 < 10 } }
    guard isThere else { return }
    RedactionJSON.eachScalar(in: bytes) { _, range in
      guard (0x2d...0x39).contains(bytes[range.lowerBound]) else { return }
      vault.search(Array(bytes[range])) { _, secret in claims.insert(range, number(secret)) }
    }
  }

  /// What stands for a number whose name does not say that it is a secret: matching has to know one from a `0`.
  private func number(_ secret: Int) -> RedactionClaims.Replacement { isSent ? .string(secret) : .zero }
}
