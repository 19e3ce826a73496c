import CassetteJSON
internal import CassetteSystem

/// Reads a cassette strictly: every byte is JSON, every key is known, every value is of its kind.
///
/// It steps over the bytes once and keeps where things are. A broken value is stepped over too, so that reading for
/// problems can go on after it; only broken JSON ends the file.
struct CassetteFileReader {
  /// The most problems that are listed.
  static let problemLimit = 100

  let file: String
  /// The folder of `file` bodies; nil when it is not known, and they are not looked for.
  let folder: String?
  /// True if reading goes on after an error.
  let collects: Bool
  /// The engines that compile schemas, templates and resources.
  var engines = Engines.linked
  /// True if the texts and bytes of bodies are skipped; they are empty then.
  var skipsTexts = false
  /// The keys of an interaction that another reader reads.
  var foreignNames: Set<String> = []
  /// False to read requests and their rules alone.
  var needsResponse = true

  var at = 0
  var problems: [CassetteError] = []
  var omitted = 0
  /// The number of levels of conditions around this place.
  var nesting = 0
  var records: [CassetteFileRecord] = []
  /// The rules of those interactions that have some, by their place in the list.
  var rules: [UInt32: InteractionRules] = [:]
  /// The largest of the requests, for the limits of a server; what is raw here is never shorter than what it stands for.
  var requestMeasures = RequestMeasures()
  /// The places of request bodies that are in files of their own.
  var requestFiles: [UInt32] = []
  var fileBodies = 0
  var lines: LineTable?

  /// Reads a cassette, whose interactions become ``records``; returns it without them, and without a name.
  @discardableResult
  mutating func read(_ bytes: Span<UInt8>) throws(CassetteError) -> Cassette {
    guard bytes.count < Int(UInt32.max) else { throw CassetteError(file: file, message: "more than 4 GB") }
    at = CassetteFile.contentStart(bytes)
    skipWhitespace(bytes)
    var cassette = Cassette(name: "")
    _ = try read(bytes, "a cassette", Grammar.cassette, into: &cassette)
    skipWhitespace(bytes)
    if at < bytes.count { throw error(bytes, at, "something follows the cassette") }
    return cassette
  }

  /// Reads an object by its table; returns false after it reported that there is no object.
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
