import CassetteJSON
internal import CassetteSystem

/// Reads a cassette strictly: every byte must be JSON, every key must be known, and every value must be valid.
///
/// Reads the bytes once and stores the offsets of the parts. An invalid value is skipped, so that reading can continue
/// after it and find more problems; only invalid JSON ends the reading.
struct CassetteFileReader {
  /// The maximum number of problems that are listed.
  static let problemLimit = 100

  let file: String
  /// The folder of body files; nil if it is unknown, so that body files are not checked.
  let folder: String?
  /// True if reading continues after an error.
  let collects: Bool
  /// The engines that compile schemas, templates and resources.
  var engines = Engines.linked
  /// True to skip the content of bodies, which is then empty.
  var skipsTexts = false
  /// The keys of an interaction that the caller reads itself.
  var foreignNames: Set<String> = []
  /// False to read only requests and their rules.
  var needsResponse = true

  var at = 0
  var problems: [CassetteError] = []
  var omitted = 0
  /// The number of conditions that contain the current one.
  var nesting = 0
  var records: [CassetteFileRecord] = []
  /// The rules of interactions that have rules, by the index of the interaction.
  var rules: [UInt32: InteractionRules] = [:]
  var lines: LineTable?

  /// Reads a cassette into ``records``; returns the cassette without its interactions and name.
  @discardableResult
  mutating func read(_ bytes: Span<UInt8>) throws(CassetteError) -> Cassette {
    guard bytes.count < Int(UInt32.max) else { throw CassetteError(file: file, message: "more than 4 GB") }
    at = CassetteFile.contentStart(bytes)
    skipWhitespace(bytes)
    var cassette = Cassette(name: "")
    _ = try read(bytes, "a cassette", Grammar.cassette, into: &cassette)
    skipWhitespace(bytes)
    if at < bytes.count { throw error(bytes, at, "unexpected text after the cassette") }
    return cassette
  }

  /// Reads an object with the keys of a table; returns false after reporting that the value is not an object.
  mutating func read<Input, Output>(
    _ bytes: Span<UInt8>, _ what: String, _ table: ObjectTable<Input, Output>, into value: inout Input
  ) throws(CassetteError) -> Bool {
    let start = at
    guard try open(bytes, what) else { return false }
    var walk = ObjectWalk(table.names, hint: table.hint)
    if !foreignNames.isEmpty, table.facts.name == Grammar.interaction.facts.name { walk.foreignNames = foreignNames }
    while let index = try nextKey(bytes, &walk) { try table.keys[index].read(&self, bytes, &value) }
    if walk.seen & table.required != table.required, !walk.hasUnknown {
      for key in table.keys where key.row.isRequired && !walk.has(key.row.name) {
        try report(bytes, start, "\"\(key.row.name)\" is missing", table.missing)
      }
    }
    try table.check(&self, bytes, start, walk, &value)
    return true
  }

  // MARK: Problems

  /// Appends an error to ``problems``, or throws it if reading stops at the first error.
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

  /// Appends a warning to ``problems``.
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
