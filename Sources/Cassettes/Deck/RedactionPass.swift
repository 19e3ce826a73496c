import HTTP
import JSONText

/// One redaction at work on the exchanges of one recording: first all are looked through, then secrets are replaced.
struct RedactionPass {
  private let redaction: Redaction
  private let finder: RedactionFinder
  private let redactedPaths: [RedactionPath]
  private let keptPaths: [RedactionPath]
  /// The secrets found so far.
  var vault = RedactionVault()
  /// Aliases that were there before anything was replaced; their numbers mean something else.
  private(set) var foreignNumbers: Set<Int> = []
  private var looksForNew = true

  init(_ redaction: Redaction) {
    self.redaction = redaction
    finder = RedactionFinder(redaction: redaction)
    redactedPaths = Self.paths(in: redaction.redacted)
    keptPaths = Self.paths(in: redaction.kept)
    // In an order of their own: a set has another one each time.
    for case .value(let value) in redaction.redacted.sorted(by: { "\($0)" < "\($1)" }) where !value.isEmpty {
      _ = vault.secret(Array(value.utf8))
    }
  }

  private static func paths(in places: Set<Redaction.Place>) -> [RedactionPath] {
    places.compactMap { if case .json(let path) = $0 { RedactionPath(path) } else { nil } }
  }

  /// What kind of text is looked at.
  private enum Context {
    case url
    case header(String)
    case form
    case multipart(boundary: String)
    case body
    case text
  }

  // MARK: Exchanges

  /// Looks for secrets, so that they are found everywhere.
  mutating func collect(_ interaction: Interaction) throws(CassetteError) {
    guard redaction.isOn else { return }
    _ = try replacing(in: interaction, isCollecting: true)
  }

  /// The exchange with aliases in the place of secrets; only of those that are known, if a person may have written it.
  mutating func redacting(_ interaction: Interaction, onlyKnown: Bool = false) throws(CassetteError) -> Interaction {
    guard redaction.isOn else { return interaction }
    looksForNew = !onlyKnown
    defer { looksForNew = true }
    return try replacing(in: interaction, isCollecting: false)
  }

  private mutating func replacing(
    in interaction: Interaction, isCollecting: Bool
  ) throws(CassetteError) -> Interaction {
    var result = interaction
    if let url = replacing(in: interaction.url, .url, isCollecting) { result.url = url }
    if let headers = replacing(in: interaction.requestHeaders, isCollecting) { result.requestHeaders = headers }
    if let body = try replacing(in: interaction.requestBody, interaction.requestHeaders, isCollecting) {
      result.requestBody = body
    }
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

  private mutating func replacing(in text: String, _ context: Context, _ isCollecting: Bool) -> String? {
    let bytes = Array(text.utf8)
    let claims = claims(in: bytes, context, isCollecting)
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
    let bytes = try body.bytes()
    let type = headers["Content-Type"].flatMap { MediaType($0) }
    let context: Context =
      switch (type?.type, type?.subtype) {
      case ("application", "x-www-form-urlencoded"): .form
      case ("multipart", _): .multipart(boundary: type?.parameter("boundary") ?? "")
      default: .body
      }
    let claims = claims(in: bytes, context, isCollecting)
    guard !isCollecting, !claims.isEmpty else { return nil }
    guard case .chunks(let chunks, let end) = body.form else { return .storing(claims.applied(to: bytes, &vault)) }
    let pieces = claims.applied(to: chunks.map(\.bytes), &vault)
    return .chunks(zip(chunks, pieces).map { BodyChunk(after: $0.after, bytes: $1) }, end: end)
  }

  // MARK: Texts

  private mutating func claims(
    in bytes: [UInt8], _ context: Context, _ isCollecting: Bool, depth: Int = 0
  ) -> RedactionClaims {
    var claims = RedactionClaims()
    guard !bytes.isEmpty else { return claims }
    if case .body = context, BodyText.isLongBinary(bytes.span) {
      // An image or an archive: no name in it says anything, but a secret that is known may stand in it.
      if !isCollecting { vault.search(bytes) { range, secret in claims.insert(range, .alias(secret)) } }
      return claims
    }
    if isCollecting { foreignNumbers.formUnion(SecretAlias.neutral(bytes).numbers) }
    if case .header(let name) = context, redaction.keeps(header: name) { return claims }
    if case .body = context { keepAndClaimPaths(bytes, &claims) }
    claimByPlace(bytes, context, &claims)
    let views = RedactionView.all(of: bytes)
    for (index, view) in views.enumerated() {
      let kind: RedactionFinder.Parameters =
        switch context {
        case .url where index == 0: .url
        case .form where index == 0: .form
        default: .inText
        }
      finder.parameters(in: view.bytes, kind) { take($0, in: view, &claims) }
      finder.members(in: view.bytes) { take($0, in: view, &claims) }
      finder.userInformation(in: view.bytes) { take($0, in: view, &claims) }
    }
    if !isCollecting {
      for view in views {
        vault.search(view.bytes) { range, secret in claims.insert(view.original(range), .alias(secret)) }
      }
    }
    if depth < 2 { for view in views { claimBase64(view, isCollecting, depth, &claims) } }
    return claims
  }

  /// Takes a secret in, unless it was allowed, and claims its place.
  private mutating func take(_ found: RedactionFinder.Found, in view: RedactionView, _ claims: inout RedactionClaims) {
    guard looksForNew else { return }
    let text = String(decoding: found.value, as: UTF8.self)
    guard !redaction.kept.contains(.value(text)), !SecretNames.isPlaceholder(text) else { return }
    let range = view.original(found.range)
    guard !claims.kept.contains(where: { $0.overlaps(range) }) else { return }
    let secret = vault.secret(found.value, or: found.others, isNamed: found.isNamed)
    for part in found.parts { _ = vault.secret(part) }
    claims.insert(range, found.isNumber ? .zero : .alias(secret))
  }

  private mutating func claimByPlace(_ bytes: [UInt8], _ context: Context, _ claims: inout RedactionClaims) {
    let view = RedactionView(bytes)
    switch context {
    case .header(let name) where redaction.takesOut(header: name):
      if name == "cookie" || name == "set-cookie" {
        RedactionFinder.cookies(in: bytes, isSetCookie: name == "set-cookie") { take($0, in: view, &claims) }
      } else if let found = RedactionFinder.credential(bytes.indices, bytes, ofField: name) {
        take(found, in: view, &claims)
      }
    case .multipart(let boundary) where !boundary.isEmpty:
      finder.parts(in: bytes, boundary: boundary) { take($0, in: view, &claims) }
    default:
      break
    }
  }

  private mutating func keepAndClaimPaths(_ bytes: [UInt8], _ claims: inout RedactionClaims) {
    let view = RedactionView(bytes)
    RedactionFinder.scalars(in: bytes, at: keptPaths) { claims.kept.append($0.range) }
    RedactionFinder.scalars(in: bytes, at: redactedPaths) { take($0, in: view, &claims) }
    guard vault.hasNumbers else { return }
    // A secret of digits that is a number elsewhere: an alias there would not be JSON.
    RedactionJSON.eachScalar(in: bytes) { _, range in
      guard (0x2d...0x39).contains(bytes[range.lowerBound]) else { return }
      vault.search(Array(bytes[range])) { _, _ in claims.insert(range, .zero) }
    }
  }

  /// Looks into base64: into text as into any other, into the rest for secrets that are known.
  private mutating func claimBase64(
    _ view: RedactionView, _ isCollecting: Bool, _ depth: Int, _ claims: inout RedactionClaims
  ) {
    var runs: [Range<Int>] = []
    RedactionBase64.eachRun(in: view.bytes) { runs.append($0) }
    for run in runs {
      let text = view.bytes[run]
      var candidates = [run]
      // A slash is a character of base64, and what stands between two segments of a path.
      if text.contains(UInt8(ascii: "/")) {
        candidates += text.split(separator: UInt8(ascii: "/")).map(\.indices).filter { $0.count >= 8 }
      }
      for candidate in candidates {
        guard let decoded = RedactionBase64.decode(view.bytes[candidate]), decoded.count >= RedactionVault.shortest,
          BodyText.isText(decoded.span)
        else { continue }
        let inner = self.claims(in: decoded, .text, isCollecting, depth: depth + 1)
        guard !inner.isEmpty else { continue }
        let whole = inner.whole(of: decoded.count)
        let like = Array(view.bytes[candidate])
        claims.insert(view.original(candidate), whole ?? .base64(of: decoded, inner, like: like))
      }
      guard !isCollecting, vault.hasPatterns else { continue }
      for shift in 0..<4 {
        guard let decoded = RedactionBase64.decode(text.dropFirst(shift)) else { continue }
        vault.search(decoded) { range, secret in
          // Every character that holds a bit of the secret.
          let start = run.lowerBound + shift + range.lowerBound * 8 / 6
          let end = run.lowerBound + shift + (range.upperBound * 8 + 5) / 6
          claims.insert(view.original(start..<min(end, run.upperBound)), .alias(secret))
        }
      }
    }
  }
}
