internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteShapes
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
    case hexadecimal(isUpper: Bool)
    /// A compressed file, or two or four bytes a unit.
    case coded(BodyCoding)
    /// None, for a text that must not be taken for a journal's.
    case none

    /// Puts it on again; where that cannot be, the text is left as it is.
    func wrap(_ content: [UInt8]) -> [UInt8] {
      switch self {
      case .base64(let manner): RedactionBase64.encode(content, manner)
      case .hexadecimal(let isUpper): content.flatMap { Hexadecimal.digits(of: $0, isUpper: isUpper) }
      case .coded(let coding): coding.wrap(content) ?? content
      case .none: content
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
  var named: [Place] = []
  /// A text that looks like a token, the kind that it looks like, and where it stands as it is written.
  typealias Token = (kind: String, value: [UInt8], range: Range<Int>)

  /// The texts that look like tokens.
  private(set) var tokens: [Token] = []
  /// The ways to read the text, without its bytes, and the base64 in each; empty when nothing is taken out.
  private(set) var views: [(edits: [DecodedView.Edit], isJoined: Bool, inner: [Inner])] = []
  /// The description of an API that the text is.
  private var description: APIDescription?
  /// True if all there is to read is within the wrapped text.
  private(set) var isWrapped = false
  /// The places of known secrets in it.
  let matches = RedactionMatches()

  /// Everything that says of itself that it is a secret, also what is coded in base64.
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
    readField(rules)
    var marks = SecretMarks()
    func look(_ view: DecodedView) {
      let isFirst = views.isEmpty
      let seen = read(view, isFirst: isFirst, rules, depth)
      guard isFirst else { return }
      marks = seen
      if case .multipart = context { readParts(rules) } else if seen.hasParts { readParts(rules) }
    }
    DecodedView.each(of: bytes, look)
    switch context {
    case .body, .text: if depth == 0 { JoinedText.each(of: bytes, hasPieces: marks.hasPieces, look) }
    default: break
    }
    if case .body = context, (atPaths + named).contains(where: \.found.isNumber) {
      JSONScalars.each(in: bytes) { _, range in
        if bytes[range.lowerBound] != UInt8(ascii: "\"") { numbers.insert(range.lowerBound) }
      }
    }
  }

  /// The rule a person may have given for what was found here.
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
    numbers = reading.numbers
    views = [([], false, [Inner(ranges: [bytes.indices], wrapping: .coded(coding), reading: reading)])]
    return true
  }

  /// Reads one way in which a text may be meant, and returns what one pass over it saw.
  private mutating func read(_ view: DecodedView, isFirst: Bool, _ rules: RedactionRules, _ depth: Int) -> SecretMarks {
    var seen = SecretMarks()
    var finder = rules.finder
    if !isFirst { finder.view = view }
    func take(_ found: SecretFinder.Found) {
      // Of a text in pieces, the name may be in another piece than all of the value.
      let ranges = view.originals(found.range)
      guard let first = ranges.first else { return }
      named.append(Place(found: found, range: first, rest: Array(ranges.dropFirst())))
    }
    func take(_ shape: SecretShape, _ range: Range<Int>, _ value: String) {
      // The lines of a private key as a list of JSON, which stays one; a program's are taken with what joins them.
      let strings = value.hasPrefix("-----") ? value.utf8.split(separator: UInt8(ascii: "\"")).map(Array.init) : []
      let lines = strings.enumerated().filter { SecretFinder.isKeyLine($1, isLast: $0 + 3 == strings.count) }.map(\.1)
      for token in lines.isEmpty ? [Array(value.utf8)] : lines {
        tokens.append((shape.kind, token, view.original(range)))
      }
    }
    let isField = if case .header = context { true } else { false }
    let isSecret = if case .header(let name) = context { SecretNames.isField(name) } else { false }
    let inner = view.bytes.searching { text in
      let parts = view.parts()
      for part in parts {
        // Of what is coded, a name may be told only where that is undone.
        seen = rules.scanner.eachToken(in: text, part, take)
        if isFirst, seen.hasVersion, context == .body || context == .text { description = APIDescription(bytes) }
        finder.description = description
        let names = NamePlaces(seen.names, in: text, part, isAnywhere: isField || finder.redaction.hasNames)
        if names.isEmpty { continue }
        if finder.brackets == nil { finder.brackets = TextBrackets(text) }
        finder.assignments(in: text, part, names, parameters(isFirst: isFirst), take)
        finder.elements(in: text, part, names, take)
        finder.fields(in: text, part, take)
        // All of an `Authorization` is a secret as it is.
        if !isSecret { finder.introduced(in: text, seen.introductions, take) }
        if context != .url { finder.paths(in: text, part, names, take) }
        if !isField, context != .url { finder.ruledColumns(in: text, part, take) }
      }
      for part in parts { finder.userInformation(in: text, part, take) }
      switch context {
      case .url: finder.segments(in: text, take)
      case .body, .text: if isFirst || view.isJoined { finder.columns(in: text, take) }
      default: break
      }
      var inner: [Inner] = []
      // The ends of the lines that were read together, and of those that cannot be.
      var (done, seen) = (0, 0)
      view.eachRun(in: text, parts) { run in
        // A run within one piece was read as it is.
        guard run.lowerBound >= done, !view.isJoined || view.originals(run).count > 1 else { return }
        if depth < 2, run.lowerBound >= seen, RedactionBase64.mayBeRead(text, run),
          let lines = RedactionBase64.lines(from: run, in: text), let last = lines.last
        {
          seen = last.upperBound
          if let block = lined(lines, in: text, view, rules, depth) {
            done = last.upperBound
            return inner.append(block)
          }
        }
        let isRead = depth < 2 && Self.read(run, in: text, view, rules, depth, &inner)
        if !isRead { rules.scanner.eachToken(inBase64: text, run) { take($0, run, $1) } }
      }
      return inner
    }
    views.append((view.edits, view.isJoined, inner))
    return seen
  }

  private func parameters(isFirst: Bool) -> SecretFinder.Parameters {
    switch context {
    case .url where isFirst: .url
    case .form where isFirst: .form
    case .url, .form: .undone
    case .header: .field
    default: .inText
    }
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

  init(_ redaction: CassetteRedaction, hidesAll: Bool = false, bodies: SeenBodies? = nil) {
    self.bodies = bodies
    finder = SecretFinder(redaction: redaction, hidesAll: hidesAll)
    scanner = SecretScanner(redaction)
    redactedPaths = CassetteRedaction.paths(in: redaction.redacted)
    keptPaths = CassetteRedaction.paths(in: redaction.kept)
  }
}
