internal import Synchronization

/// What a text says of its secrets by itself, whatever else is known of them.
///
/// It stays the same while more becomes known, so that a large body is read once and not for every look at its exchange.
struct RedactionReading: Sendable {
  /// What kind of text is looked at.
  enum Context: Hashable {
    case url
    case header(String)
    case form
    case multipart(boundary: String)
    case body
    case text
  }

  /// A secret, and where it stands in the text as it is written.
  struct Place {
    var found: RedactionFinder.Found
    var range: Range<Int>
  }

  /// Base64 that is text.
  struct Inner {
    /// Where it stands in the text as it is written.
    var range: Range<Int>
    var manner: RedactionBase64.Manner
    var reading: RedactionReading
  }

  let bytes: [UInt8]
  let context: Context
  /// The numbers of aliases.
  private(set) var numbers: [Int] = []
  /// What stays as it is.
  private(set) var kept: [Range<Int>] = []
  /// What a path of JSON says is a secret.
  private(set) var atPaths: [Place] = []
  /// What a name, a scheme or a URL's syntax says is one.
  private(set) var named: [Place] = []
  /// The ways to read the text, and the base64 in each; empty when nothing is taken out.
  private(set) var views: [(edits: [RedactionView.Edit], inner: [Inner])] = []
  /// Where known secrets stand in it.
  let matches = RedactionMatches()

  /// Reads a text.
  init(_ bytes: [UInt8], _ context: Context, _ rules: RedactionRules, depth: Int = 0) {
    self.bytes = bytes
    self.context = context
    guard !bytes.isEmpty else { return }
    numbers = SecretAlias.numbers(in: bytes)
    if case .header(let name) = context, rules.finder.redaction.keeps(header: name) { return }
    if case .body = context {
      RedactionFinder.scalars(in: bytes, at: rules.keptPaths) { kept.append($0.range) }
      RedactionFinder.scalars(in: bytes, at: rules.redactedPaths) { atPaths.append(Place(found: $0, range: $0.range)) }
    }
    readByPlace(rules)
    RedactionView.each(of: bytes) { view in
      read(view, isFirst: views.isEmpty, rules.finder)
      views.append((view.edits, depth < 2 ? Self.inner(in: view, rules, depth) : []))
    }
  }

  private mutating func readByPlace(_ rules: RedactionRules) {
    switch context {
    case .header(let name) where rules.finder.redaction.takesOut(header: name):
      if name == "cookie" || name == "set-cookie" {
        RedactionFinder.cookies(in: bytes, isSetCookie: name == "set-cookie") {
          named.append(Place(found: $0, range: $0.range))
        }
      } else if let found = RedactionFinder.credential(bytes.indices, bytes, ofField: name) {
        named.append(Place(found: found, range: found.range))
      }
    case .multipart(let boundary) where !boundary.isEmpty:
      rules.finder.parts(in: bytes, boundary: boundary) { named.append(Place(found: $0, range: $0.range)) }
    default:
      break
    }
  }

  private mutating func read(_ view: RedactionView, isFirst: Bool, _ finder: RedactionFinder) {
    let kind: RedactionFinder.Parameters =
      switch context {
      case .url where isFirst: .url
      case .form where isFirst: .form
      default: .inText
      }
    finder.parameters(in: view.bytes, kind) { named.append(Place(found: $0, range: view.original($0.range))) }
    finder.members(in: view.bytes) { named.append(Place(found: $0, range: view.original($0.range))) }
    finder.userInformation(in: view.bytes) { named.append(Place(found: $0, range: view.original($0.range))) }
  }

  /// Reads what base64 decodes to, where that is text.
  private static func inner(in view: RedactionView, _ rules: RedactionRules, _ depth: Int) -> [Inner] {
    var inner: [Inner] = []
    view.bytes.searching { text in
      func read(_ range: Range<Int>) {
        guard RedactionBase64.mayBeText(text, range), let decoded = RedactionBase64.decode(text, range),
          decoded.count >= RedactionVault.shortest, BodyText.isText(decoded)
        else { return }
        let reading = RedactionReading(decoded, .text, rules, depth: depth + 1)
        inner.append(
          Inner(range: view.original(range), manner: RedactionBase64.Manner(of: text, range), reading: reading))
      }
      RedactionBase64.eachRun(in: text, of: view) { run in
        read(run)
        // A slash is a character of base64, and what stands between two segments of a path.
        guard var slash = text.first(UInt8(ascii: "/"), in: run) else { return }
        var start = run.lowerBound
        while start < run.upperBound {
          if slash - start >= RedactionBase64.shortest { read(start..<slash) }
          start = slash + 1
          slash =
            start < run.upperBound ? text.first(UInt8(ascii: "/"), in: start..<run.upperBound) ?? run.upperBound : start
        }
      }
    }
    return inner
  }
}

/// Where known secrets stand in a text, until there are more of them.
final class RedactionMatches: Sendable {
  /// For one way to read the text, the places in it as it is written.
  typealias View = (plain: [(Range<Int>, Int)], base64: [(Range<Int>, Int)])

  private struct State {
    var patterns = 0
    var views: [View] = []
  }

  private let state = Mutex(State())

  /// What was found, for each way to read the text.
  var views: [View] { state.withLock { $0.views } }

  /// Looks for the secrets, unless that was done.
  func find(_ vault: RedactionVault, in reading: RedactionReading) {
    state.withLock { state in
      guard vault.all.count != state.patterns else { return }
      state.patterns = vault.all.count
      state.views = reading.views.map { edits, _ in
        let view = RedactionView(reading.bytes, edits)
        var plain: [(Range<Int>, Int)] = []
        var base64: [(Range<Int>, Int)] = []
        vault.search(view.bytes) { range, secret in plain.append((view.original(range), secret)) }
        vault.searchBase64(in: view.bytes) { range, secret in base64.append((view.original(range), secret)) }
        return (plain, base64)
      }
    }
  }
}

/// A redaction's rules, ready for use.
struct RedactionRules: Sendable {
  let finder: RedactionFinder
  let redactedPaths: [RedactionPath]
  let keptPaths: [RedactionPath]

  init(_ redaction: Redaction) {
    finder = RedactionFinder(redaction: redaction)
    redactedPaths = Self.paths(in: redaction.redacted)
    keptPaths = Self.paths(in: redaction.kept)
  }

  private static func paths(in places: Set<Redaction.Place>) -> [RedactionPath] {
    places.compactMap { if case .json(let path) = $0 { RedactionPath(path) } else { nil } }
  }
}
