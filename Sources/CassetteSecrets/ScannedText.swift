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

    /// Encodes content again; returns it unchanged if that fails.
    func wrap(_ content: [UInt8]) -> [UInt8] {
      switch self {
      case .base64(let manner): RedactionBase64.encode(content, manner)
      case .coded(let coding): coding.wrap(content) ?? content
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
  /// The secrets found by JSON paths, then those found by a name, a scheme or the syntax of a URL.
  private(set) var secrets: [SecretFinder.Found] = []
  /// A value that looks like a token, the kind of token, and its place in the original bytes.
  typealias Token = (kind: String, value: [UInt8], range: Range<Int>)

  /// The values that look like tokens.
  private(set) var tokens: [Token] = []
  /// The views of the bytes, with the base64 in each view; empty if nothing is redacted.
  private(set) var views: [(view: DecodedView, inner: [Inner])] = []
  /// True if the scan took too many steps; then the bytes must not be recorded.
  private(set) var isGivenUp = false

  /// The encoded text in all views, the joined views first.
  var inners: [Inner] { views.reversed().flatMap(\.inner) }

  /// Calls a closure with each secret found by its name, scheme or path, including those in base64.
  func each(_ use: (_ found: SecretFinder.Found, _ range: Range<Int>) -> Void) {
    for found in secrets where !kept.contains(where: { $0.overlaps(found.range) }) { use(found, found.range) }
    for inner in inners { inner.reading.each { found, _ in use(found, inner.ranges[0]) } }
  }

  /// All tokens, including those in nested content.
  var allTokens: [Token] {
    tokens + inners.flatMap { inner in inner.reading.allTokens.map { ($0.kind, $0.value, inner.ranges[0]) } }
  }

  /// Returns the places of all known secrets in the original bytes; several for a secret that is split.
  func matches(of table: SecretTable) -> [(ranges: [Range<Int>], secret: Int)] {
    var matches: [(ranges: [Range<Int>], secret: Int)] = []
    for (view, _) in views {
      table.patterns.search(view) { range, secret in
        let ranges = view.originals(range)
        if !view.isJoined || ranges.count > 1 { matches.append((ranges, secret)) }
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
    if case .body = context {
      RedactionJSON.scalars(in: bytes, at: finder.keptPaths, undecidedIsAll: false) { kept.append($0.range) }
      RedactionJSON.scalars(in: bytes, at: finder.redactedPaths, undecidedIsAll: true) { secrets.append($0) }
    }
    if readWrapped(finder, depth) { return }
    var hasPieces = false
    DecodedView(bytes).eachDeeper { view in
      let marks = look(view, finder, depth)
      guard view.edits.isEmpty else { return }
      hasPieces = marks.hasPieces
      if finder.readsNames { view.bytes.searching { read($0, finder.adding(to: marks.names, in: $0), view, finder) } }
    }
    if context == .body || context == .text, depth < 2 {
      JoinedText.each(of: bytes, hasPieces: hasPieces) { joined in
        if finder.readsNames { joined.bytes.searching { read($0, finder.hits(in: $0), joined, finder) } }
        joined.eachDeeper { _ = look($0, finder, depth) }
      }
    }
    if case .body = context, secrets.contains(where: \.isNumber) {
      JSONScalars.each(in: bytes) { _, range in
        if bytes[range.lowerBound] != UInt8(ascii: "\"") { numbers.insert(range.lowerBound) }
      }
    }
  }

  /// Returns the user-defined rule that may apply to a secret.
  func rule(of found: SecretFinder.Found) -> CassetteRedaction.Place? {
    if let path = found.path { return .json(path) }
    switch context {
    case .header(let name): return .header(name)
    case .form, .multipart: return .form(found.name.lowercased())
    case .url, .body, .text: return found.notation == .parameter ? .query(found.name.lowercased()) : nil
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
    guard depth < 4, context != .url, let (coding, content) = BodyCoding.unwrapping(bytes, charset: nil) else {
      return false
    }
    let reading = ScannedText(content, context, finder, depth: depth + 1)
    isGivenUp = reading.isGivenUp
    numbers = reading.numbers
    views = [(DecodedView([]), [Inner(ranges: [bytes.indices], wrapping: .coded(coding), reading: reading)])]
    return true
  }

  /// Finds secrets by names and structure.
  private mutating func read(_ text: ByteSearch, _ hits: [Int], _ view: DecodedView, _ finder: SecretFinder) {
    let context = view.isJoined ? .text : context
    let syntax: SecretReader.Syntax = context == .url ? .url : context == .form ? .form : .text
    var reader = SecretReader(finder, text, hits, syntax, steps: finder.steps)
    switch context {
    case .multipart(let boundary): reader.parts(0..<text.count, boundary: boundary)
    case .header(let name) where finder.redaction.takesOut(header: name):
      // A field that the user chose has no harmless values.
      let isChosen = finder.redaction.redacted.contains(.header(name)) && !SecretFinder.isCookie(name)
      reader.found =
        isChosen
        ? [SecretFinder.credential(bytes.indices, bytes, ofField: name)].compactMap(\.self)
        : finder.take(bytes.indices, bytes, named: name)
    case .url, .form, .body, .text, .header:
      if let boundary = SecretReader.boundary(of: text) { reader.parts(0..<text.count, boundary: boundary) }
      reader.read(0..<text.count)
    }
    isGivenUp = isGivenUp || reader.steps <= 0
    for found in reader.found { add(found, view) }
  }

  /// Adds a secret of a view by its place in the original bytes.
  private mutating func add(_ found: SecretFinder.Found, _ view: DecodedView) {
    let ranges = view.originals(found.range)
    // The name of a split value may be in another piece than the value.
    guard let first = ranges.first else { return }
    secrets.append(found)
    (secrets[secrets.count - 1].range, secrets[secrets.count - 1].rest) = (first, Array(ranges.dropFirst()))
  }

  /// Finds tokens, user information and base64 in one view.
  private mutating func look(_ view: DecodedView, _ finder: SecretFinder, _ depth: Int) -> SecretShapes.Marks {
    var marks = SecretShapes.Marks()
    let inner = view.bytes.searching { text in
      let parts = view.parts()
      for part in parts {
        marks = SecretShapes.eachMatch(in: text, part) { shape, range in
          let value = text.bytes(range)
          if !finder.redaction.keeps(value: value) { tokens.append((shape.kind, value, view.original(range))) }
        }
        for found in finder.readsNames ? finder.userInformation(in: text, part) : [] {
          add(found, view)
        }
      }
      var inner: [Inner] = []
      if depth < 3 {
        for part in parts {
          // A run within one piece was scanned in the original view.
          let isRead = { (run: Range<Int>) in view.isJoined ? view.originals(run).count > 1 : view.isNew(run) }
          RedactionBase64.eachText(in: text, part, where: isRead) { run, decoded, lines in
            var manner = RedactionBase64.Manner(of: text, run)
            if let lines {
              manner.isPadded = true
              manner.lines = (width: lines.width, separator: view.originals(lines.separator).flatMap { bytes[$0] })
            }
            let reading = ScannedText(decoded, .text, finder, depth: depth + 1)
            inner.append(Inner(ranges: view.originals(run), wrapping: .base64(manner), reading: reading))
          }
        }
      }
      return inner
    }
    isGivenUp = isGivenUp || inner.contains { $0.reading.isGivenUp }
    views.append((view, inner))
    return marks
  }

  /// A scan result that is shared without copying.
  final class Kept: Sendable {
    let text: ScannedText

    init(_ bytes: [UInt8], _ context: Context, _ finder: SecretFinder) { text = ScannedText(bytes, context, finder) }

    func isOf(_ bytes: [UInt8], _ context: Context) -> Bool {
      text.context == context && ByteSearch.isSame(text.bytes, bytes)
    }
  }
}
