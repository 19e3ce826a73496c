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
  /// The formats of other tools, by a member of their outermost object, and the arguments of the command that uses them.
  private static let foreign = [
    "log": ("a HAR file", importing),
    "mappings": ("a WireMock file", importing),
    "item": ("a Postman collection", importing),
    "http_interactions": ("a VCR file", importing),
    "openapi": ("an OpenAPI document", serving),
    "swagger": ("an OpenAPI document", serving),
  ]
  private static let importing = ("convert it: mockserver import", " --into cassettes")
  private static let serving = ("serve it: mockserver serve --openapi", "")

  /// Returns an error for a file of another tool; nil for cassettes and unknown files.
  package static func foreignFile(_ bytes: [UInt8], _ file: String) -> CassetteError? {
    guard !Cassette.isCassette(bytes) else { return nil }
    var found: String?
    func look(_ name: String) -> Bool {
      if foreign[name] != nil { found = name }
      return found == nil
    }
    if eachOuterName(in: bytes, look) == nil {
      // A YAML file has each outer name at the beginning of a line.
      let lines = String(decoding: bytes.prefix(4 << 10), as: UTF8.self).split(whereSeparator: \.isNewline)
      _ = lines.first { $0.contains(":") && !look(String($0.prefix { $0 != ":" })) }
    }
    guard let found, let (kind, (command, options)) = foreign[found] else { return nil }
    return CassetteError(
      file: file, line: 1, column: 1, message: "is \(kind), not a cassette",
      suggestion: "\(command) \(ShellWord.path(file))\(options)")
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
