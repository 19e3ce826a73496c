import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// Reads a cassette strictly: every byte is JSON, every key is known, every value is of its kind.
///
/// It steps over the bytes once and keeps where things are. A broken value is stepped over too, so that reading for
/// problems can go on after it; only broken JSON ends the file.
struct CassetteFileReader {
  typealias Object = CassetteFileObject

  /// The most problems that are listed.
  static let problemLimit = 100

  let file: String
  /// The folder of `file` bodies; nil when it is not known, and they are not looked for.
  let folder: String?
  /// True if reading goes on after an error.
  let collects: Bool
  /// The engines that compile schemas, templates and resources.
  var engines = Engines.linked

  var at = 0
  var problems: [CassetteError] = []
  var omitted = 0
  /// The number of levels of conditions around this place.
  var nesting = 0
  var schema: UInt32 = 0
  var origin: UInt32 = 0
  var isProtected = false
  var matching: MatchLevel?
  var match = MatchRules()
  var resources: [any CompiledResource] = []
  var records: [CassetteFileRecord] = []
  /// The rules of those interactions that have some, by their place in the list.
  var rules: [UInt32: InteractionRules] = [:]
  /// The largest of the requests, for the limits of a server; what is raw here is never shorter than what it stands for.
  var requestMeasures = RequestMeasures()
  /// The places of request bodies that are in files of their own.
  var requestFiles: [UInt32] = []
  var fileBodies = 0
  var lines: LineTable?

  mutating func read(_ bytes: Span<UInt8>) throws(CassetteError) {
    guard bytes.count < Int(UInt32.max) else { throw CassetteError(file: file, message: "more than 4 GB") }
    at = CassetteFile.contentStart(bytes)
    skipWhitespace(bytes)
    let start = at
    guard var walk = try open(bytes, "a cassette", Object.cassette) else { return try finish(bytes) }
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .schema: schema = try readString(bytes, "\"$schema\"") ?? 0
      case .cassette: try readVersion(bytes)
      case .origin: try readOrigin(bytes)
      case .recording:
        isProtected = try readChoice(bytes, "\"recording\"", as: RecordingProtection.self, "must be") == .never
      case .matching: matching = try readChoice(bytes, "\"matching\"", as: MatchLevel.self, "must be")
      case .match: match = try readCommonMatch(bytes)
      case .resource: try readResources(bytes)
      case .interactions: try readInteractions(bytes)
      }
    }
    if walk.lacks(.cassette) {
      try report(bytes, start, "\"cassette\" is missing", "add \"cassette\": 1 as the first member")
    }
    try finish(bytes)
  }

  private mutating func finish(_ bytes: Span<UInt8>) throws(CassetteError) {
    skipWhitespace(bytes)
    if at < bytes.count { throw error(bytes, at, "something follows the cassette") }
  }

  private mutating func readVersion(_ bytes: Span<UInt8>) throws(CassetteError) {
    let start = at
    try skipValue(bytes)
    guard bytes.extracting(start..<at).equals([UInt8(ascii: "1")].span) else {
      return try report(bytes, start, "\"cassette\" is the format's version, and only 1 is known")
    }
  }

  private mutating func readOrigin(_ bytes: Span<UInt8>) throws(CassetteError) {
    let start = at
    guard let quote = try readString(bytes, "\"origin\"") else { return }
    guard CassetteFileGrammar.isOrigin(CassetteFileSource.text(at: quote, in: bytes)) else {
      return try report(
        bytes, start, "\"origin\" is a scheme and an authority without a path, such as \"https://api.github.com\"")
    }
    origin = quote
  }

  /// Reads the rules for all recordings, which cannot say what each of them answers.
  private mutating func readCommonMatch(_ bytes: Span<UInt8>) throws(CassetteError) -> MatchRules {
    let start = at
    let rules = try readMatch(bytes)
    if rules.methods != nil || rules.url != nil || rules.path != nil || !rules.body.isEmpty || rules.priority != 0 {
      try report(
        bytes, start,
        "\"method\", \"url\", \"path\", \"priority\" and a body to compare with belong to the \"match\" of one recording"
      )
    }
    return rules
  }

  /// The values of `"recording"`.
  private enum RecordingProtection: String, CaseIterable {
    case never
  }

  private mutating func readInteractions(_ bytes: Span<UInt8>) throws(CassetteError) {
    guard var list = try openList(bytes, "\"interactions\"") else { return }
    while try nextElement(bytes, &list) {
      try readInteraction(bytes)
    }
  }

  // MARK: Problems

  /// Notes an error, or throws it when the first is enough.
  mutating func report(
    _ bytes: Span<UInt8>, _ offset: Int, _ message: String, _ suggestion: String? = nil
  ) throws(CassetteError) {
    if collects, problems.count >= Self.problemLimit {
      omitted += 1
      return
    }
    let error = error(bytes, offset, message, suggestion)
    guard collects else { throw error }
    problems.append(error)
  }

  /// Notes what does not keep the cassette from being played.
  mutating func warn(_ bytes: Span<UInt8>, _ offset: Int, _ message: String) {
    if problems.count >= Self.problemLimit {
      omitted += 1
      return
    }
    var warning = error(bytes, offset, message)
    warning.severity = .warning
    problems.append(warning)
  }

  mutating func error(
    _ bytes: Span<UInt8>, _ offset: Int, _ message: String, _ suggestion: String? = nil
  ) -> CassetteError {
    let table = lines ?? LineTable(bytes)
    lines = table
    return CassetteError(table.place(of: offset, in: bytes, file: file), message, suggestion)
  }
}
