/// The JSON Schemas of the control API's responses (JSON Schema 2020-12), in a notation similar to TypeScript's.
///
/// `name?` is an optional member, `[T]` an array, `{*: T}` an object with any names, `'a'` a string, `count` an integer
/// of at least 0, `time` a date and time, and a text in parentheses a description. Capitalized names refer to schemas.
struct ControlSchemas {
  private static let notation = """
    Problem = {title: string, status: integer, detail: string, count?: Count (Of verify and wait: the number of
      received requests.), requests?: [Request], nearest?: [{number: Count, request: string | null, differs: Texts}]}
    Status = {status: string}
    Document = {openapi: string, info: object, paths: object, components?: object}
    Count = count
    Texts = [string]
    Recorded = {request} (An interaction in the format of a cassette.)
    Interaction = {id: string, cassette?: string, place?: string | null, origin?: string | null, stub?: boolean,
      session?: string | null, keep?: boolean, method: string, url: string, status?: integer, failure?: string | null,
      plays: Count, firstPlayedBy?: Count, after?: string, position?: {turn: integer, of: integer, plays: Count,
      isNext: boolean}, interaction?: Recorded}
    InteractionList = {interactions: [Interaction]}
    StubIDs = {ids: Texts, warnings?: Texts}
    Removed = {removed: Count}
    Saved = {cassette: string, ids: Texts}
    Gate = {name: string, arrived: integer, held: integer}
    Scenario = {name: string, state: string, states: Texts}
    ScenarioList = {scenarios: [Scenario]}
    SessionList = {sessions: [{name: string, played: Count, stubs: Count, scenarios: {*: string}}], forgotten: Count}
    ResourceList = {resources: [{path: string, alsoAt?: Texts, elements: Count}]}
    Resource = {path: string, warnings?: Texts, elements: [object]}
    Settings = {matching: 'exact' | 'careful' | 'loose', latency: string | null, bytesPerSecond?: integer, clock:
      string, seed?: integer, faults: [{kind: string, on?: string, delay?: string, bytesPerSecond?: integer, after?:
      integer, status?: integer, headers?: {*: string}, body?: string, probability?: number, first?: integer, every?:
      integer}], journal: {requests: integer, bodyBytes: integer, secrets: boolean}}
    Reset = {status: 'rewound', session: string | null}
    Request = {number: Count, at: time, method: string | null, url: string | null, session?: string, status?: integer,
      outcome: 'played' | 'stub' | 'fault' | 'spec' | 'recorded' | 'failed' | 'miss' | 'refused', recording?: string |
      null, cassette?: string | null, derived?: string | null, approximate?: string | null, after?: string, reason?:
      string, source?: string, contract?: Texts, sentBytes: Count, duration: number,
      disconnected?: boolean (True if the client disconnected before the last byte.), headers?: [[string; 2]],
      bodyBytes?: Count, body?: string | null, bodyIsCut?: boolean}
    Journal = {requests: Count, forgotten: Count, entries: [Request], next?: Count}
    JournalPage = Journal | {cassette: integer, interactions: [Recorded]} (With as=cassette.) | {log} (With as=har.)
    RequestDetails = Request & {place: string | null, interaction?: Recorded, reason?: string, remedies?: Texts,
      nearest: [{id: string, place: string, request: string, isInCassette: boolean, differs: [{part: string, words:
      string, canBeIgnored: boolean}]}], accept?: {problem: string | null, origin: string | null}}
    Recording = {exchange: Count, method: string, url: string, status?: integer, isNew: boolean, redacted: Count,
      interaction?: Recorded}
    RecordingList = {cassette: string | null (Null for a server that does not record.), new?: Count, unchanged?:
      Count, refused?: Count, failed?: Count, bytes?: Count, exchanges: [Recording]}
    Misses = {total: Count, misses: [{number: Count, request: string, reason: string, remedy: string, remedies: Texts,
      nearest: [{id: string, place: string, differs: Texts}]}], approximate: Count, approximations: [{number: Count,
      request: string, id: string, place: string, parts: Texts, differs: Texts}]}
    Verification = {count: Count, forgotten?: Count, requests: [Request]}
    Health = {status: 'ok', recordings?: Count, fixtures?: Count, stubs?: Count, requests?: Count, misses?: Count,
      approximate?: Count, sessions?: Count, sessionsForgotten?: Count, neverPlayed?: Count, uptimeSeconds?: integer,
      generation?: Count, lastLoad?: {files: Texts, problem: string | null}} (Without the server's token, the status
      only.)
    Edit = {edit: integer, request: integer, how: 'ignore' | 'copy' | 'upstream', state: 'proposed' | 'written' |
      'undone', cassette: string, interaction: string, answers: boolean, diff: string, generation?: Count, recording?:
      Recorded}
    EditList = {readOnly: string | null (The reason why edits cannot be written; null if they can.), edits: [Edit]}
    """

  /// A JSON object with all schemas by name.
  static let all: [UInt8] = {
    var schemas = ControlSchemas(rest: notation.split(whereSeparator: \.isWhitespace).joined(separator: " ")[...])
    var members: [String] = []
    while !schemas.rest.isEmpty {
      let name = schemas.word()
      guard schemas.take("=") else { break }
      members.append("\"\(name)\": {\(schemas.type())}")
    }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }()

  private var rest: Substring

  /// Consumes a token after white space; returns false if it does not follow.
  private mutating func take(_ token: String) -> Bool {
    rest = rest.drop(while: \.isWhitespace)
    guard rest.hasPrefix(token) else { return false }
    rest = rest.dropFirst(token.count)
    return true
  }

  private mutating func word() -> String { text { $0.isLetter || $0.isNumber } }

  /// Consumes the next characters that meet a condition, after white space.
  private mutating func text(_ isPart: (Character) -> Bool) -> String {
    rest = rest.drop(while: \.isWhitespace)
    defer { rest = rest.drop(while: isPart) }
    return String(rest.prefix(while: isPart))
  }

  /// Parses a type, and returns the members of its schema.
  private mutating func type() -> String {
    var (kinds, values, schemas, description): ([String], [String], [String], String) = ([], [], [], "")
    var isAll = false
    while true {
      if take("'") {
        values.append("\"\(text { $0 != "'" })\"")
        _ = take("'")
      } else if take("[") {
        schemas.append(array())
      } else if take("{") {
        schemas.append(object())
      } else {
        let name = word()
        switch name {
        case "count": schemas.append("\"type\":\"integer\",\"minimum\":0")
        case "time": schemas.append("\"type\":\"string\",\"format\":\"date-time\"")
        case _ where name.first?.isUppercase ?? true: schemas.append("\"$ref\":\"#/components/schemas/\(name)\"")
        default: kinds.append("\"\(name)\"")
        }
      }
      if take("(") {
        let words = ",\"description\":\"\(text { $0 != ")" })\""
        if schemas.isEmpty { description = words } else { schemas[schemas.count - 1] += words }
        _ = take(")")
      }
      if take("&") { isAll = true } else if !take("|") { break }
    }
    func list(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }
    if let value = values.first {
      return (values.count == 1 ? "\"const\":\(value)" : "\"enum\":\(list(values))") + description
    }
    if let kind = kinds.first { return "\"type\":\(kinds.count == 1 ? kind : list(kinds))" + description }
    if schemas.count == 1 { return schemas[0] }
    return "\"\(isAll ? "allOf" : "anyOf")\":\(list(schemas.map { "{\($0)}" }))"
  }

  /// Parses an array after its opening bracket; a number after a semicolon is its length.
  private mutating func array() -> String {
    var schema = "\"type\":\"array\",\"items\":{\(type())}"
    if take(";") {
      let count = word()
      schema += ",\"minItems\":\(count),\"maxItems\":\(count)"
    }
    _ = take("]")
    return schema
  }

  /// Parses an object after its opening brace.
  private mutating func object() -> String {
    if take("*:") {
      defer { _ = take("}") }
      return "\"type\":\"object\",\"additionalProperties\":{\(type())}"
    }
    var (required, members): ([String], [String]) = ([], [])
    repeat {
      let name = word()
      if !take("?") { required.append("\"\(name)\"") }
      if take(":") { members.append("\"\(name)\":{\(type())}") }
    } while take(",")
    _ = take("}")
    return "\"type\":\"object\",\"required\":[\(required.joined(separator: ","))]"
      + (members.isEmpty ? "" : ",\"properties\":{\(members.joined(separator: ","))}")
  }
}
