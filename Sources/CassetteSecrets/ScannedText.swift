internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// The secrets that a text shows by itself, whatever else is known of them.
///
/// It stays the same while more becomes known, so that a large body is read once and not for every look at its exchange.
package struct ScannedText: Sendable {
  /// The kind of text that is looked at.
  package enum Context: Hashable, Sendable {
    case url
    case header(String)
    case form
    case multipart(boundary: String)
    case body
    case text
  }

  /// A secret, and where it stands in the text as it is written.
  struct Place {
    var found: SecretFinder.Found
    var range: Range<Int>
    /// The places of the rest, if it came in pieces.
    var rest: [Range<Int>] = []
  }

  /// Text within the text.
  struct Inner {
    /// The places in the text as it is written: one, or those of the pieces it came in.
    var ranges: [Range<Int>]
    var wrapping: Wrapping
    var reading: ScannedText
  }

  /// The coding that a text is wrapped in.
  enum Wrapping {
    case base64(RedactionBase64.Manner)
    /// A compressed file, or two or four bytes a unit.
    case coded(BodyCoding)

    /// Puts it on again; where that cannot be, the text is left as it is.
    func wrap(_ content: [UInt8]) -> [UInt8] {
      switch self {
      case .base64(let manner): RedactionBase64.encode(content, manner)
      case .coded(let coding): coding.wrap(content) ?? content
      }
    }
  }

  let bytes: [UInt8]
  let context: Context
  /// The numbers of aliases.
  private(set) var aliases: [Int] = []
  /// The places of numbers, if the text is JSON and one of them is a secret: what replaces it is to be JSON, too.
  private(set) var numbers: Set<Int> = []
  /// The places that stay as they are.
  private(set) var kept: [Range<Int>] = []
  /// The places of secrets by JSON paths.
  private(set) var atPaths: [Place] = []
  /// The places of secrets by a name, a scheme or a URL's syntax.
  private(set) var named: [Place] = []
  /// A text that looks like a token, the kind that it looks like, and where it stands as it is written.
  typealias Token = (kind: String, value: [UInt8], range: Range<Int>)

  /// The texts that look like tokens.
  private(set) var tokens: [Token] = []
  /// The ways to read the text, without its bytes, and the base64 in each; empty when nothing is taken out.
  private(set) var views: [(edits: [DecodedView.Edit], isJoined: Bool, inner: [Inner])] = []
  /// True if all there is to read is within the wrapped text.
  private(set) var isWrapped = false
  /// True if looking for secrets took too many steps: then nothing of the text may be kept.
  private(set) var isGivenUp = false
  /// The places of known secrets in it.
  let matches = RedactionMatches()

  /// Calls back with everything that says of itself that it is a secret, also what is coded in base64.
  func each(_ use: (_ found: SecretFinder.Found, _ range: Range<Int>) -> Void) {
    for place in atPaths + named where !kept.contains(where: { $0.overlaps(place.range) }) {
      use(place.found, place.range)
    }
    for inner in views.flatMap(\.inner) { inner.reading.each { found, _ in use(found, inner.ranges[0]) } }
  }

  /// Every token, also of what is within.
  var allTokens: [Token] {
    tokens
      + views.flatMap(\.inner).flatMap { inner in inner.reading.allTokens.map { ($0.kind, $0.value, inner.ranges[0]) } }
  }

  /// Reads a text.
  init(_ bytes: [UInt8], _ context: Context, _ rules: RedactionRules, depth: Int = 0) {
    self.bytes = bytes
    self.context = context
    guard !bytes.isEmpty, depth == 0 || rules.bodies?.contains(bytes) != true else { return }
    aliases = SecretAlias.numbers(in: bytes)
    if case .header(let name) = context, rules.finder.redaction.keeps(header: name) { return }
    if case .body = context {
      RedactionJSON.scalars(in: bytes, at: rules.keptPaths, undecidedIsAll: false) { kept.append($0.range) }
      RedactionJSON.scalars(in: bytes, at: rules.redactedPaths, undecidedIsAll: true) {
        atPaths.append(Place(found: $0, range: $0.range))
      }
    }
    if readWrapped(rules, depth) { return }
    var hasPieces = false
    DecodedView.each(of: bytes) { view in
      let marks = look(view, rules, depth)
      guard view.edits.isEmpty else { return }
      hasPieces = marks.hasPieces
      view.bytes.searching { read($0, rules.finder.adding(to: marks.names, in: $0), view, rules) }
    }
    switch context {
    case .body where depth < 2, .text where depth < 2:
      JoinedText.each(of: bytes, hasPieces: hasPieces) { joined in
        joined.bytes.searching { read($0, rules.finder.hits(in: $0), joined, rules) }
        joined.eachDeeper(of: bytes) { _ = look($0, rules, depth) }
      }
    default: break
    }
    if case .body = context, (atPaths + named).contains(where: \.found.isNumber) {
      JSONScalars.each(in: bytes) { _, range in
        if bytes[range.lowerBound] != UInt8(ascii: "\"") { numbers.insert(range.lowerBound) }
      }
    }
  }

  /// Returns the rule a person may have given for what was found here.
  func rule(of found: SecretFinder.Found) -> CassetteRedaction.Place? {
    if let path = found.path { return .json(path) }
    switch context {
    case .header(let name): return .header(name)
    case .form, .multipart: return .form(found.name.lowercased())
    case .url, .body, .text: return found.notation == .parameter ? .query(found.name.lowercased()) : nil
    }
  }

  /// The spelling that a text needs to be put into this one.
  var spelling: SecretSpelling {
    switch context {
    case .url, .form: .percent
    case .body where bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "["): .json
    default: .raw
    }
  }

  /// Reads what is compressed, or in UTF-16, as what it is.
  private mutating func readWrapped(_ rules: RedactionRules, _ depth: Int) -> Bool {
    switch context {
    case .url, .header: return false
    case .body, .form, .multipart, .text: break
    }
    guard depth < 4, let (coding, content) = BodyCoding.unwrapping(bytes, charset: nil) else { return false }
    let reading = ScannedText(content, context, rules, depth: depth + 1)
    isWrapped = true
    isGivenUp = reading.isGivenUp
    numbers = reading.numbers
    views = [([], false, [Inner(ranges: [bytes.indices], wrapping: .coded(coding), reading: reading)])]
    return true
  }

  /// Reads a text by its names and its structure.
  private mutating func read(_ text: ByteSearch, _ hits: [Int], _ view: DecodedView, _ rules: RedactionRules) {
    let finder = rules.finder
    var reader = SecretReader(finder, text, hits, steps: rules.steps)
    let whole = 0..<text.count
    switch view.isJoined ? .text : context {
    case .url: reader.parameters(whole, isForm: false)
    case .form: reader.parameters(whole, isForm: true)
    case .multipart(let boundary): reader.parts(whole, boundary: boundary)
    case .body, .text:
      // A form whose type does not say so.
      if let boundary = view.isJoined ? nil : MultipartHead.boundary(in: bytes) {
        reader.parts(whole, boundary: boundary)
      }
      reader.read(whole)
    case .header(let name):
      guard finder.redaction.takesOut(header: name) else { return finish(&reader, view) }
      if name == "cookie" || name == "set-cookie" {
        reader.found = finder.cookies(in: bytes, isSetCookie: name != "cookie")
      } else {
        let isChosen = finder.redaction.redacted.contains(.header(name))
        reader.found =
          isChosen
          ? [SecretFinder.credential(bytes.indices, bytes, ofField: name)].compactMap(\.self)
          : finder.take(bytes.indices, bytes, named: name)
      }
    }
    collect(reader, view)
  }

  /// Reads the value of a field that is no secret as a whole.
  private mutating func finish(_ reader: inout SecretReader, _ view: DecodedView) {
    reader.read(0..<bytes.count)
    collect(reader, view)
  }

  private mutating func collect(_ reader: SecretReader, _ view: DecodedView) {
    isGivenUp = isGivenUp || reader.steps <= 0
    for found in reader.found {
      // Of a text in pieces, the name may be in another piece than all of the value.
      let ranges = view.originals(found.range)
      guard let first = ranges.first else { continue }
      named.append(Place(found: found, range: first, rest: Array(ranges.dropFirst())))
    }
  }

  /// Looks for tokens, users and base64 in one way to read the text.
  private mutating func look(_ view: DecodedView, _ rules: RedactionRules, _ depth: Int) -> SecretShapes.Marks {
    var marks = SecretShapes.Marks()
    let inner = view.bytes.searching { text in
      let parts = view.parts()
      for part in parts {
        marks = rules.scanner.eachToken(in: text, part) { shape, range, value in
          tokens.append((shape.kind, Array(value.utf8), view.original(range)))
        }
        for found in rules.finder.userInformation(in: text, part) {
          let ranges = view.originals(found.range)
          named.append(Place(found: found, range: ranges[0], rest: Array(ranges.dropFirst())))
        }
      }
      var inner: [Inner] = []
      if depth < 3 {
        for part in parts {
          // A run within one piece was read as it is.
          let isRead = { (run: Range<Int>) in view.isNew(run) && (!view.isJoined || view.originals(run).count > 1) }
          RedactionBase64.eachText(in: text, part, where: isRead) { run, decoded, lines in
            var manner = RedactionBase64.Manner(of: text, run)
            if let lines {
              manner.isPadded = true
              manner.lines = (width: lines.width, separator: view.originals(lines.separator).flatMap { bytes[$0] })
            }
            let reading = ScannedText(decoded, .text, rules, depth: depth + 1)
            inner.append(Inner(ranges: view.originals(run), wrapping: .base64(manner), reading: reading))
          }
        }
      }
      return inner
    }
    isGivenUp = isGivenUp || inner.contains { $0.reading.isGivenUp }
    views.append((view.edits, view.isJoined, inner))
    return marks
  }

  /// A scanned text that is looked at several times, and not copied.
  final class Kept: Sendable {
    let text: ScannedText

    init(_ bytes: [UInt8], _ context: Context, _ rules: RedactionRules) { text = ScannedText(bytes, context, rules) }
  }

  /// A field by which its scanned text is found.
  struct Field: Hashable {
    var name: String
    var value: String
  }
}

/// The places of known secrets in a text, kept until there are more secrets.
final class RedactionMatches: Sendable {
  /// The places of a secret in the text as it is written; several where it came in pieces.
  typealias Match = (ranges: [Range<Int>], secret: Int)

  private let state = Locked<(version: Int, matches: [Match])>((0, []))

  /// Looks for the secrets, unless that was done.
  func find(_ table: SecretTable, in reading: ScannedText) -> [Match] {
    guard !reading.isWrapped else { return [] }
    return state.withLock { state in
      guard table.patterns.version != state.version else { return state.matches }
      state = (table.patterns.version, [])
      for (edits, isJoined, _) in reading.views {
        let view = DecodedView(reading.bytes, edits, isJoined: isJoined)
        table.patterns.search(view) { range, secret, _ in
          let ranges = view.originals(range)
          if !view.isJoined || ranges.count > 1 { state.matches.append((ranges, secret)) }
        }
      }
      return state.matches
    }
  }
}

/// A redaction's rules, ready for use.
struct RedactionRules: Sendable {
  let finder: SecretFinder
  let scanner: SecretScanner
  let redactedPaths: [JSONQuery]
  let keptPaths: [JSONQuery]
  /// The bodies that were looked through already.
  let bodies: SeenBodies?
  /// The bytes that may be looked at in a text; nil for what its length allows.
  var steps: Int?

  init(_ redaction: CassetteRedaction, hidesAll: Bool = false, bodies: SeenBodies? = nil) {
    self.bodies = bodies
    finder = SecretFinder(redaction, hidesAll: hidesAll)
    scanner = SecretScanner(redaction)
    redactedPaths = CassetteRedaction.paths(in: redaction.redacted)
    keptPaths = CassetteRedaction.paths(in: redaction.kept)
  }
}
