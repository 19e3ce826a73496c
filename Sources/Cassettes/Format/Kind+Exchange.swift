import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// The parts of one interaction as they are read: offsets in the file, and the interaction's rules.
struct InteractionPlaces: Sendable {
  var record: CassetteFileRecord
  var rules = InteractionRules()
  /// The offset of a Content-Length field in the response's header fields.
  var contentLength: Int?
  /// True if the origin did not complete the response's body.
  var isCut = false
  /// The offset of the value of `template`.
  var template: Int?
}

/// A type of string that is checked when the file is loaded, and decoded later.
struct LateText: Sendable {
  let schema: String
  let words: String
  let isValid: @Sendable (Span<UInt8>) -> Bool

  static let method = LateText(
    schema: #""type": "string", "minLength": 1"#, words: "a method such as \"GET\"",
    isValid: CassetteFileGrammar.isToken)
  static let target = LateText(
    schema: #""type": "string", "minLength": 1"#,
    words: "\"/path?query\" or an absolute URL, without spaces and without \"#\"",
    isValid: CassetteFileGrammar.isTarget)
  static let note = LateText(schema: #""type": "string""#, words: "a string") { _ in true }
  static let reason = LateText(
    schema: #""type": "string""#, words: "a phrase without line breaks", isValid: CassetteFileGrammar.isFieldValue)
  static let coding = LateText(
    schema: #""type": "string""#, words: "content codings such as \"gzip\" or \"gzip, br\"",
    isValid: CassetteFileGrammar.isTokenList)
}

extension Key where Input == InteractionPlaces {
  typealias Place = any WritableKeyPath<InteractionPlaces, UInt32> & Sendable

  /// Creates a key for a string that is checked when the file is loaded, and decoded later.
  static func text(
    _ name: String, _ kind: LateText, _ help: String, isRequired: Bool = false, at path: Place,
    text: @escaping @Sendable (Output) -> String?
  ) -> Key {
    let what = "\"\(name)\""
    return Key(name, schema: kind.schema, help, isRequired: isRequired) { reader, bytes, places throws(CassetteError) in
      let start = reader.at
      guard let quote = try reader.readString(bytes, what) else { return }
      if CassetteFileReader.withContent(at: quote, in: bytes, kind.isValid) {
        places[keyPath: path] = quote
      } else {
        try reader.report(bytes, start, "\(what) must be \(kind.words)")
      }
    } write: { writer, value throws(CassetteError) in
      if let text = text(value) { writer.member(name, text) }
    }
  }

  /// Creates a key for a value that is checked when the file is loaded, and decoded later.
  static func late<Member>(
    _ name: String, _ kind: Kind<Member>, _ help: String? = nil, at path: Place,
    part: @escaping @Sendable (Output) -> Member?
  ) -> Key {
    let what = "\"\(name)\""
    return Key(name, schema: kind.schema, help) { reader, bytes, places throws(CassetteError) in
      let start = reader.at
      if try kind.read(&reader, bytes, what) != nil { places[keyPath: path] = UInt32(start) }
    } write: { writer, value throws(CassetteError) in
      guard let member = part(value) else { return }
      writer.key(name)
      try kind.write(&writer, member)
    }
  }

  /// Creates a key for an object whose members are read as offsets.
  static func object<Member>(
    _ name: String, _ table: ObjectTable<InteractionPlaces, Member>, isRequired: Bool = false,
    part: @escaping @Sendable (Output) -> Member?
  ) -> Key {
    let what = "\"\(name)\""
    return Key(name, schema: reference(name), isRequired: isRequired) { reader, bytes, places throws(CassetteError) in
      _ = try reader.read(bytes, what, table, into: &places)
    } write: { writer, value throws(CassetteError) in
      guard let member = part(value) else { return }
      writer.key(name)
      try writer.write(table, member)
    }
  }
}

/// The members of `failure` in a file.
struct FailureObject: Sendable {
  var code: Int?
  var name: String?
  /// The offset of the name.
  var nameStart = 0

  var failure: RecordedFailure {
    RecordedFailure(code: code ?? name.flatMap(RecordedFailure.code(named:)) ?? -1, name: name)
  }
}

extension Kind where Value == String {
  /// A scheme and an authority.
  static var origin: Kind {
    Kind(#""type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^/?@]+$""#) {
      reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let text = try reader.readText(bytes, what) else { return nil }
      if CassetteFileGrammar.isOrigin(text) { return text }
      try reader.report(
        bytes, start, "\(what) must be a scheme and an authority without a path, such as \"https://api.github.com\"")
      return nil
    } write: {
      $0.append($1)
    }
  }
}

extension Kind where Value == MatchRules {
  /// The rules for all recordings, which cannot contain rules that only make sense for a single recording.
  static var commonMatch: Kind {
    let match = Kind.object(Grammar.match, new: MatchRules())
    return Kind(match.schema) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard let rules = try match.read(&reader, bytes, what) else { return nil }
      if rules.methods != nil || rules.url != nil || rules.path != nil || !rules.body.isEmpty || rules.priority != 0 {
        try reader.report(
          bytes, start,
          "\"method\", \"url\", \"path\", \"priority\" and a body to compare are allowed only in the \"match\" of a recording"
        )
      }
      return rules
    } write: { writer, value throws(CassetteError) in
      try match.write(&writer, value)
    }
  }
}

extension Kind where Value == [any CompiledResource] {
  /// A resource, or a list of them, which the engine compiles.
  static var resources: Kind {
    let one = "{ \(reference("resource")) }"
    return Kind("\"anyOf\": [\(one), { \"type\": \"array\", \"items\": \(one) }]") {
      reader, bytes, what throws(CassetteError) in
      var resources: [any CompiledResource] = []
      if reader.isAt(UInt8(ascii: "["), bytes) {
        guard var list = try reader.openList(bytes, what) else { return nil }
        while try reader.nextElement(bytes, &list) { try reader.readResource(bytes, into: &resources) }
      } else {
        try reader.readResource(bytes, into: &resources)
      }
      return resources
    } write: { writer, resources throws(CassetteError) in
      if resources.count == 1 { return writer.json(resources[0].source) }
      writer.open("[")
      for resource in resources {
        writer.next()
        writer.json(resource.source)
      }
      writer.close("]")
    }
  }
}

extension Kind where Value == HTTPStatus {
  /// The status of an interim response.
  static var interimStatus: Kind {
    Kind(#""type": "integer", "minimum": 100, "maximum": 199, "not": { "const": 101 }"#) {
      reader, bytes, what throws(CassetteError) in
      let start = reader.at
      try reader.skipValue(bytes)
      // 101 switches the protocol and is not followed by another response (RFC 9110 §15.2.2).
      let token = MemberWalk.token(at: start, in: bytes)
      if token.utf8.count == 3, token != "101", let code = Int(token), (100...199).contains(code) {
        return HTTPStatus(code)
      }
      try reader.report(bytes, start, "the \(what) of an interim response must be from 100 to 199, but not 101")
      return nil
    } write: {
      $0.token(String($1.code))
    }
  }
}

extension Kind where Value == HTTPHeaders {
  /// Header fields: pairs of strings.
  static var headers: Kind {
    Kind(reference("headers")) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      _ = try reader.readHeaders(bytes, what)
      return CassetteFileSource.headers(at: UInt32(start), in: bytes)
    } write: {
      $0.write($1)
    }
  }
}

extension CassetteFileReader {
  mutating func readInteractions(_ bytes: Span<UInt8>) throws(CassetteError) {
    guard var list = try openList(bytes, "\"interactions\"") else { return }
    while try nextElement(bytes, &list) { try readInteraction(bytes) }
  }

  mutating func readInteraction(_ bytes: Span<UInt8>) throws(CassetteError) {
    var places = InteractionPlaces(record: CassetteFileRecord(start: UInt32(at)))
    guard try read(bytes, "an interaction", Grammar.interaction, into: &places) else { return }
    if !places.rules.match.isEmpty || !places.rules.replay.isEmpty { rules[UInt32(records.count)] = places.rules }
    records.append(places.record)
  }

  func isHead(_ bytes: Span<UInt8>, _ record: CassetteFileRecord) -> Bool {
    record.method > 0 && CassetteFileSource.text(at: record.method, in: bytes) == "HEAD"
  }

  mutating func readStatus(_ bytes: Span<UInt8>) throws(CassetteError) -> UInt16 {
    let start = at
    try skipValue(bytes)
    // Exactly three digits, the first not zero (RFC 9110 §15).
    let token = MemberWalk.token(at: start, in: bytes)
    let status = token.utf8.count == 3 && token.utf8.allSatisfy(\.isDigit) ? UInt16(token) ?? 0 : 0
    if (200...999).contains(status) { return status }
    // An interim response must be followed by a final one (RFC 9110 §15.2); otherwise the client keeps waiting.
    let words = (100...199).contains(status) ? "be final: 200 to 999" : "be a whole number from 200 to 999"
    try report(bytes, start, "\"status\" must \(words)")
    return 0
  }

  /// Checks the templates of a response that starts at an offset and ends at the current position of the reader.
  mutating func checkTemplates(_ bytes: Span<UInt8>, from start: Int, flag: Int) throws(CassetteError) {
    guard let engine = engines.templates else {
      let error = EngineError.notLinked("template")
      return try report(bytes, flag, error.message, error.suggestion)
    }
    let folder = folder
    let errors = engine.errors(inResponse: Array(bytes.extracting(start..<at))) { path in
      // An unreadable body file is reported as a separate error where the body is read.
      folder.flatMap { try? CassetteFile.bodyBytes(of: path, in: $0) }
    }
    for error in errors { try report(bytes, start + error.offset, error.message, error.suggestion) }
  }

  fileprivate mutating func readResource(
    _ bytes: Span<UInt8>, into resources: inout [any CompiledResource]
  ) throws(CassetteError) {
    let start = at
    try skipValue(bytes)
    guard let tree = JSONTree(Array(bytes.extracting(start..<at))) else { return }
    let resource: any CompiledResource
    do throws(EngineError) {
      guard let engine = engines.resources else { throw .notLinked("resource") }
      resource = try engine.resource(tree)
    } catch {
      return try report(bytes, start + error.offset, error.message, error.suggestion)
    }
    let twin = resources.lazy.flatMap(\.paths).first { resource.paths.contains($0) }
    if let twin { return try report(bytes, start, "two resources have the path \"\(twin)\"") }
    resources.append(resource)
  }
}
