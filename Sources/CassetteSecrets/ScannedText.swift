internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// The secrets in a body, field or URL that can be found without knowledge of other secrets.
///
/// The result does not change as more secrets become known, so that a large body is scanned once and not for every pass
/// over its exchange.
package struct ScannedText: Sendable {
  /// The kind of input that is scanned.
  package enum Context: Hashable, Sendable {
    case url
    case header(String)
    case form
    case multipart(boundary: String)
    case body
    case text
  }

  /// Encoded text within the scanned bytes.
  struct Inner {
    /// The places in the original bytes: one, or one for each piece of a split value.
    var ranges: [Range<Int>]
    var wrapping: Wrapping
    var reading: ScannedText
  }

  /// The encoding of nested text.
  enum Wrapping {
    case base64(RedactionBase64.Manner)
    /// A compressed file, or text with two or four bytes per unit.
    case coded(BodyCoding)
    /// The payloads of all messages, each followed by a line feed.
    case messages(AmazonEventStream)
    /// The payload of one message.
    case message(AmazonEventStream.Message, old: [UInt8])

    /// Encodes content again; returns it unchanged if that fails.
    func wrap(_ content: [UInt8]) -> [UInt8] {
      switch self {
      case .base64(let manner): RedactionBase64.encode(content, manner)
      case .coded(let coding): coding.wrap(content) ?? content
      case .message(let message, let old): AmazonEventStream.wrap(content, like: old, message)
      case .messages: content
      }
    }
  }

  let bytes: [UInt8]
  let context: Context
  /// The numbers of the aliases in the bytes.
  private(set) var aliases: [Int] = []
  /// The offsets of all numbers in a JSON body with a numeric secret.
  ///
  /// A secret at one of these offsets is replaced by a number, so that the body remains valid JSON.
  private(set) var numbers: Set<Int> = []
  /// The places that are never redacted.
  private(set) var kept: [Range<Int>] = []
  /// A value that looks like a token, the kind of token, and its place in the original bytes.
  typealias Token = (kind: String, value: [UInt8], range: Range<Int>)

  /// The values that look like tokens.
  private(set) var tokens: [Token] = []
  /// The views of the bytes: unchanged, with split strings joined, and a decoded view of each.
  private(set) var layers: [Layer] = []
  /// True if the scan took too many steps; then the bytes must not be recorded.
  private(set) var isGivenUp = false

  /// A view of the bytes, and the secrets that were found in it.
  ///
  /// Names identify secrets before decoding, because escapes show where a value ends. Shapes and known values are
  /// searched for in the decoded view.
  struct Layer: Sendable {
    let view: DecodedView
    /// True if the view has no more escapes.
    var isDecoded = false
    /// The secrets found by JSON paths, then those found by a name, a scheme or the syntax of a URL; their places are
    /// in the view.
    var secrets: [SecretFinder.Found] = []
    var inners: [Inner] = []
  }

  /// True if anything was found.
  var holdsAny: Bool {
    isGivenUp || !aliases.isEmpty || !tokens.isEmpty
      || layers.contains { !$0.secrets.isEmpty || !$0.inners.isEmpty }
  }

  /// The encoded text in all views, the joined views first.
  var inners: [Inner] { layers.reversed().flatMap(\.inners) }

  /// Calls a closure with each secret found by its name, scheme or path, including those in base64.
  func each(_ use: (_ found: SecretFinder.Found, _ range: Range<Int>, _ name: String) -> Void) {
    for layer in layers {
      for found in layer.secrets where !isKept(found, in: layer) {
        use(found, layer.view.original(found.range), name(of: found, in: layer))
      }
    }
    for inner in inners { inner.reading.each { found, _, name in use(found, inner.ranges[0], name) } }
  }

  /// True if the user keeps the place of a secret.
  func isKept(_ found: SecretFinder.Found, in layer: Layer) -> Bool {
    !kept.isEmpty && kept.contains { $0.overlaps(layer.view.original(found.range)) }
  }

  /// Returns the name of a secret.
  func name(of found: SecretFinder.Found, in layer: Layer) -> String {
    switch (context, found.notation) {
    case (_, .userInformation): "user information"
    case (.header(let name), _) where found.name.isEmpty: name
    case (_, .path): "a place to redact"
    default: layer.view.bytes.searching { SecretNames.text($0, found.name) }
    }
  }

  /// All tokens, including those in nested content.
  var allTokens: [Token] {
    tokens + inners.flatMap { inner in inner.reading.allTokens.map { ($0.kind, $0.value, inner.ranges[0]) } }
  }

  /// Returns the places of all known secrets in the original bytes; several for a secret that is split.
  func matches(of table: SecretTable) -> [(ranges: [Range<Int>], secret: Int)] {
    var matches: [(ranges: [Range<Int>], secret: Int)] = []
    for layer in layers where layer.isDecoded {
      table.patterns.search(layer.view.bytes) { range, secret in
        if let places = layer.view.places(of: range) { matches.append((places, secret)) }
      }
    }
    return matches
  }

  /// Scans bytes.
  init(_ bytes: [UInt8], _ context: Context, _ finder: SecretFinder, depth: Int = 0) {
    self.bytes = bytes
    self.context = context
    guard !bytes.isEmpty else { return }
    aliases = SecretAlias.numbers(in: bytes)
    if case .header(let name) = context, finder.redaction.keeps(header: name) { return }
    if readWrapped(finder, depth) { return }
    var selected: [SecretFinder.Found] = []
    if case .body = context {
      RedactionJSON.scalars(in: bytes, at: finder.keptPaths, undecidedIsAll: false) { kept.append($0.range) }
      RedactionJSON.scalars(in: bytes, at: finder.redactedPaths, undecidedIsAll: true) { selected.append($0) }
    }
    let hasPieces = scan(DecodedView(bytes), finder, depth, selected)
    if context == .body || context == .text, depth < 2 {
      JoinedText.each(of: bytes, hasPieces: hasPieces) { _ = scan($0, finder, depth) }
    }
    if case .multipart = context {
      // A name in quotes that are not escaped is a member of JSON.
      for found in layers[0].secrets where found.isNumber && bytes[found.name.upperBound] == UInt8(ascii: "\"") {
        numbers.insert(found.range.lowerBound)
      }
    }
    if case .body = context, layers.contains(where: { $0.secrets.contains(where: \.isNumber) }) {
      JSONScalars.each(in: bytes) { _, range in
        if bytes[range.lowerBound] != UInt8(ascii: "\"") { numbers.insert(range.lowerBound) }
      }
    }
  }

  /// The escaping that a replacement needs in these bytes.
  var spelling: SecretSpelling {
    switch context {
    case .url, .form: .percent
    case .body where bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "["): .json
    default: .raw
    }
  }

  /// Decodes compressed content or UTF-16 and scans the result; returns false for other content.
  private mutating func readWrapped(_ finder: SecretFinder, _ depth: Int) -> Bool {
    if case .header = context { return false }
    guard depth < 4, context != .url else { return false }
    let content: [UInt8]
    let wrapping: Wrapping
    if let stream = AmazonEventStream(bytes) {
      (content, wrapping) = (stream.payloads(of: bytes), .messages(stream))
    } else if let (coding, decoded) = BodyCoding.unwrapping(bytes, charset: nil) {
      (content, wrapping) = (decoded, .coded(coding))
    } else {
      return false
    }
    let reading = ScannedText(content, context, finder, depth: depth + 1)
    isGivenUp = reading.isGivenUp
    numbers = reading.numbers
    let inner = Inner(ranges: [bytes.indices], wrapping: wrapping, reading: reading)
    layers = [Layer(view: DecodedView([]), inners: [inner])]
    return true
  }

  /// Finds the secrets in a view; returns true if a JSON member may have the name of a piece of a split string.
  private mutating func scan(
    _ view: DecodedView, _ finder: SecretFinder, _ depth: Int, _ selected: [SecretFinder.Found] = []
  ) -> Bool {
    var layer = Layer(view: view, secrets: selected)
    let hasPieces = finder.readsNames ? view.bytes.searching { read($0, &layer, finder) } : true
    if let deepest = view.deepest {
      layers.append(layer)
      layer = Layer(view: deepest)
      if finder.readsNames { deepest.bytes.searching { finder.userInformation(in: $0, into: &layer.secrets) } }
    }
    layer.isDecoded = true
    layer.view.bytes.searching { search($0, &layer, finder, depth) }
    layers.append(layer)
    return hasPieces
  }

  /// Finds secrets by names and structure; returns true if a JSON member has the name of a piece of a split string.
  private mutating func read(_ text: ByteSearch, _ layer: inout Layer, _ finder: SecretFinder) -> Bool {
    let context = layer.view.isJoined ? .text : context
    let syntax: SecretReader.Syntax = context == .url ? .url : context == .form ? .form : .text
    var reader = SecretReader(finder, text, syntax, steps: finder.steps)
    switch context {
    case .multipart(let boundary): reader.parts(0..<text.count, boundary: boundary)
    case .header(let name) where finder.redaction.takesOut(header: name):
      // A field that the user chose has no harmless values.
      if finder.redaction.redacted.contains(.header(name)), !SecretFinder.isCookie(name) {
        layer.secrets += [SecretFinder.credential(bytes.indices, bytes, ofField: name)].compactMap(\.self)
      } else {
        finder.take(bytes.indices, bytes, named: name, into: &layer.secrets)
      }
    case .header("sec-websocket-protocol"): finder.subprotocols(in: text, into: &layer.secrets)
    case .url, .form, .body, .text, .header:
      if let boundary = SecretReader.boundary(of: text) { reader.parts(0..<text.count, boundary: boundary) }
      reader.read(0..<text.count)
    }
    isGivenUp = isGivenUp || reader.steps <= 0
    layer.secrets += reader.found
    finder.userInformation(in: text, into: &layer.secrets)
    return reader.hasPieces
  }

  /// Finds tokens, and scans the text that is encoded in base64.
  private mutating func search(_ text: ByteSearch, _ layer: inout Layer, _ finder: SecretFinder, _ depth: Int) {
    let view = layer.view
    SecretShapes.eachMatch(in: text) { shape, range in
      let value = text.bytes(range)
      if !finder.redaction.keeps(value: value) { tokens.append((shape.kind, value, view.original(range))) }
    }
    guard depth < 3 else { return }
    func isRead(_ run: Range<Int>) -> Bool { view.places(of: run) != nil }
    RedactionBase64.eachText(in: text, where: isRead) { run, decoded, lines in
      var manner = RedactionBase64.Manner(of: text, run)
      manner.escapes = escapes(around: run, in: view)
      if let lines {
        manner.isPadded = true
        manner.lines = (width: lines.width, separator: view.originals(lines.separator).flatMap { bytes[$0] })
      }
      let reading = ScannedText(decoded, .text, finder, depth: depth + 1)
      isGivenUp = isGivenUp || reading.isGivenUp
      layer.inners.append(Inner(ranges: view.originals(run), wrapping: .base64(manner), reading: reading))
    }
  }

  /// Returns the spellings of the signs of base64 at the place of a value: in a URL, and in a URL within another.
  private func escapes(around run: Range<Int>, in view: DecodedView) -> [UInt8: [UInt8]] {
    var escapes: [UInt8: [UInt8]] = [:]
    for at in run where !ByteSet.word.contains(view.bytes[at]) {
      let original = bytes[view.original(at..<at + 1)]
      if original.count > 1 { escapes[view.bytes[at]] = Array(original) }
    }
    // A sign that did not occur in the value is escaped once more than the separator before the value.
    var prefix = context == .url || context == .form ? Array("%".utf8) : []
    if run.lowerBound > 0 {
      let separator = bytes[view.original(run.lowerBound - 1..<run.lowerBound)]
      if separator.first == UInt8(ascii: "%") { prefix = separator.dropLast(2) + Array("25".utf8) }
    }
    guard !prefix.isEmpty else { return escapes }
    for (sign, digits) in [("+", "2B"), ("/", "2F"), ("=", "3D")] {
      for byte in sign.utf8 where escapes[byte] == nil && !view.bytes[run].contains(byte) {
        escapes[byte] = prefix + Array(digits.utf8)
      }
    }
    return escapes
  }

  /// True if these are the results for some bytes.
  func isOf(_ bytes: [UInt8], _ context: Context) -> Bool {
    self.context == context && ByteSearch.isSame(self.bytes, bytes)
  }
}
