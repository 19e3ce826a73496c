internal import CassetteJSON
internal import CassetteSystem

/// An ordered list of recorded exchanges.
public struct Cassette: Sendable {
  /// The name of the file without `.json`.
  public var name: String
  /// The path of the file that the cassette was read from; nil if it was made in code.
  public var file: String?
  /// The URL of the format's JSON Schema; nil if the file has none.
  public var schema: String?
  /// A comment for people.
  public var note: String?
  /// The scheme and authority of relative URLs: `https://api.github.com`.
  public var origin: String?
  /// True if the file has `"recording": "never"`: it is written by hand, and tests play it in every mode.
  public var isProtected = false
  /// The level at which requests are compared with the recordings; nil if the file does not specify one.
  public var matching: MatchLevel?
  /// The default matching rules of all recordings.
  package var match = MatchRules()
  /// Collections whose elements requests can create, change and delete.
  package var resources: [any CompiledResource] = []
  /// The exchanges, in the order they were recorded.
  public var interactions: [Interaction]
  /// The warnings of the reader.
  public var warnings: [CassetteError] = []

  /// Creates a cassette of exchanges.
  public init(name: String, origin: String? = nil, interactions: [Interaction] = []) {
    self.name = name
    self.origin = origin
    self.interactions = interactions
  }
}

extension CassetteFile {
  /// The formats of other tools: advice, and the names of members of the outermost object, or lines of text.
  private static let foreign: [(kind: String, advice: String, names: [Set<String>])] = [
    ("a HAR file", importing, [["log"]]), ("a VCR file", importing, [["http_interactions"]]),
    ("a WireMock file", importing, [["mappings"]]), ("a WireMock mapping", importing, [["request", "response"]]),
    ("a Postman collection", importing, [["item"]]), ("a Hoverfly simulation", importing, [["data", "meta"]]),
    ("a nock recording", importing, [["scope", "method"]]),
    ("an OpenAPI document", "serve it: mockserver serve --openapi FILE", [["openapi"], ["swagger"]]),
    (
      "a Bruno collection", recording,
      [["brunoConfig"], ["items", "environments"], ["version", "type", "ignore"], ["opencollection"], ["meta {"]]
    ),
    ("an Insomnia collection", recording, [["__export_format"], ["type: collection.insomnia.rest/5.0"]]),
    ("a Pact contract", recording, [["consumer", "provider"]]),
    ("a file of MockServer expectations", recording, [["httpRequest"], ["specUrlOrPayload"]]),
    ("a Mountebank imposter", recording, [["imposters"], ["port", "protocol"]]),
    (
      "a Mockoon environment", "export it as OpenAPI, and serve that: mockserver serve --openapi openapi.json",
      [["routes", "endpointPrefix"]]
    ),
    ("a file of mitmproxy flows", "convert it to HAR: mitmdump -nr FILE --set hardump=trace.har", [[netstring]]),
  ]
  private static let importing = "convert it: mockserver import FILE --into cassettes"
  private static let recording =
    "send its requests through a recorder: mockserver record --upstream URL --cassette cassettes/api.json"
  /// The name of a line that begins with two lengths, as flows of mitmproxy do.
  private static let netstring = "1:1:"

  /// Returns an error for a file of another tool; nil for cassettes and unknown files.
  ///
  /// - `isImported`: True to return an error only for formats that `import` does not support. Default: false.
  package static func foreignFile(_ bytes: [UInt8], _ file: String, isImported: Bool = false) -> CassetteError? {
    guard !Cassette.isCassette(bytes) else { return nil }
    var seen: Set<String> = []
    var found: (kind: String, advice: String, names: [Set<String>])?
    func look(_ name: String) -> Bool {
      seen.insert(name)
      found = foreign.first { $0.names.contains { $0.contains(name) && $0.isSubset(of: seen) } }
      return found == nil
    }
    let start = bytes[contentStart(bytes.span)...].firstIndex { $0 > 0x20 }
    if let start, bytes[start] == UInt8(ascii: "[") {
      eachOuterName(in: Array(bytes[(start + 1)...]), look)
    } else if eachOuterName(in: bytes, look) == nil {
      // A YAML file has each outer name at the beginning of a line.
      let lines = String(decoding: bytes.prefix(4 << 10), as: UTF8.self).split(whereSeparator: \.isNewline)
      let lengths = lines.first?.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false) ?? []
      if lengths.count == 3, lengths.dropLast().allSatisfy({ Int($0) != nil }) { _ = look(netstring) }
      _ = lines.first { found == nil && !(look(String($0)) && look(String($0.prefix { $0 != ":" }))) }
    }
    guard let found, !isImported || found.advice != importing else { return nil }
    var (kind, path) = (found.kind, file)
    // The mappings of a folder depend on each other, and are imported together.
    let steps = file.split(separator: "/", omittingEmptySubsequences: false)
    if kind == "a WireMock mapping", let folder = steps.dropLast().lastIndex(of: "mappings") {
      (path, kind) = (steps[...folder].joined(separator: "/"), "a folder of WireMock mappings")
    }
    return CassetteError(
      file: path, line: 1, column: 1, message: "is \(kind), not a cassette",
      suggestion: found.advice.replacing("FILE", with: ShellWord.path(path)))
  }

  /// Returns the warning about a file of a folder that is not a cassette.
  package static func skipped(_ file: String) -> CassetteError {
    let foreign = (try? bytes(of: file)).flatMap { foreignFile($0, file) }
    var warning = foreign ?? CassetteError(file: file, message: "has no \"cassette\" key and was skipped")
    warning.severity = .warning
    return warning
  }

  /// Calls `use` with the names of the members of a file's outermost object until it returns false.
  ///
  /// - `use`: Returns true to continue with the next member.
  ///
  /// Returns false if the JSON is broken, and nil if the file contains no object; otherwise true.
  @discardableResult
  static func eachOuterName(in bytes: [UInt8], _ use: (String) -> Bool) -> Bool? {
    let span = bytes.span
    var at = contentStart(span)
    JSONScanner.skipWhitespace(in: span, at: &at)
    guard var members = JSONItems(in: span, at: &at), members.isObject else { return nil }
    do {
      while try members.next(in: span, at: &at) {
        guard use(JSONString.decode(span.extracting(members.name)) ?? "") else { return true }
        try JSONScanner.skipValue(in: span, at: &at)
      }
      return true
    } catch {
      return false
    }
  }
}

extension Cassette {
  /// Returns true if a file is or was meant to be a cassette: a JSON object with a member named `cassette`.
  ///
  /// Parses only as much as needed, and checks nothing else. A truncated file, or one that is not valid JSON, counts as
  /// a cassette if it contains the member's name, so that reading it can report the error.
  public static func isCassette(_ bytes: [UInt8]) -> Bool {
    var isOne = false
    let isJSON = CassetteFile.eachOuterName(in: bytes) { name in
      isOne = name == "cassette"
      return !isOne
    }
    guard isJSON == false else { return isOne }
    // The JSON is broken: search for the member's name as text.
    let wanted = Array("\"cassette\"".utf8)
    let span = bytes.span
    var from = 0
    while let start = bytes.firstIndex(of: wanted, from: from) {
      from = start + 1
      var after = start + wanted.count
      JSONScanner.skipWhitespace(in: span, at: &after)
      if after < span.count, span[after] == UInt8(ascii: ":") { return true }
    }
    return false
  }
}
