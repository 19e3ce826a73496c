/// Values and helpers of other tools, and what they are here.
extension ForeignTemplate {
  /// Helpers that do the same here under the name on the right.
  private static let same = [
    "upper": "upper", "lower": "lower", "capitalize": "capitalize", "trim": "trim", "join": "join", "size": "size",
    "urlEncode": "urlencode", "substring": "substring", "eq": "eq", "neq": "ne", "gt": "gt", "gte": "ge", "lt": "lt",
    "lte": "le", "and": "and", "or": "or", "not": "not", "replace": "replace", "contains": "contains", "first": "first",
    "last": "last", "lookup": "lookup", "range": "range", "add": "add", "subtract": "subtract",
    "multiply": "multiply", "divide": "divide",
  ]

  /// A call of a helper; nil when it is none.
  func helper(
    _ name: String, _ arguments: [String], _ named: [(String, String)], at offset: Int
  ) throws(TemplateError) -> String? {
    func said(_ wanted: String) -> String? { named.first { $0.0 == wanted }?.1 }
    func plain(_ text: String?) -> String { (text ?? "").filter { $0 != "'" && $0 != "\"" } }
    func call(_ name: String, _ more: [String] = []) -> String {
      ([name] + (more.isEmpty ? arguments : more)).joined(separator: " ")
    }
    let standard = said("default").map { " default=\($0)" } ?? ""
    switch (self, name) {
    case (.wireMock, "jsonPath") where arguments.count == 2 && arguments[0] == "body":
      return try json(plain(arguments[1]), at: offset) + standard
    case (.wireMock, "now"), (.wireMock, "date"):
      return try time(name, arguments, said("format"), said("offset"), said("timezone"), at: offset)
    case (.wireMock, "randomValue"):
      let length = said("length") ?? "36"
      switch plain(said("type")) {
      case "UUID": return "uuid"
      case "ALPHANUMERIC": return "random length=\(length) of=alphanumeric"
      case "ALPHABETIC": return "random length=\(length) of=letters"
      case "NUMERIC": return "random length=\(length) of=digits"
      case "HEXADECIMAL": return "random length=\(length) of=hex"
      default: return nil
      }
    case (.wireMock, "randomInt"), (.wireMock, "randomDecimal"):
      guard let lower = said("lower"), let upper = said("upper"), Double(lower) != nil, let most = Int(upper) else {
        return nil
      }
      return name == "randomInt" ? "random \(lower)..\(most - 1)" : "random \(lower)..\(most).00"
    case (.wireMock, "pickRandom"): return call("random")
    case (.wireMock, "base64"):
      let decodes = plain(said("decode")) == "true" ? " decode=true" : ""
      return call("base64") + decodes
    case (.wireMock, "math") where arguments.count == 3:
      let operations = ["+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"]
      return operations[plain(arguments[1])].map { "\($0) \(arguments[0]) \(arguments[2])" }
    case (.hoverfly, "randomString"): return "random length=10"
    case (.hoverfly, "randomStringLength") where arguments.count == 1: return "random length=\(arguments[0])"
    case (.hoverfly, "randomBoolean"): return "fake boolean"
    case (.hoverfly, "randomInteger"): return "random 0..2147483647"
    case (.hoverfly, "randomIntegerRange") where arguments.count == 2: return "random \(arguments[0])..\(arguments[1])"
    case (.hoverfly, "randomFloat"): return "random"
    case (.hoverfly, "randomEmail"): return "fake email"
    case (.hoverfly, "randomIPv4"): return "fake ipv4"
    case (.hoverfly, "randomIPv6"): return "fake ipv6"
    case (.hoverfly, "randomUuid"): return "uuid"
    case (.hoverfly, "faker") where arguments.count == 1:
      let kinds = [
        "Name": "name", "FirstName": "firstName", "LastName": "lastName", "Email": "email", "City": "city",
        "Country": "country", "Company": "company", "Phone": "phone", "Street": "street", "Word": "word",
        "Sentence": "sentence", "Username": "username", "URL": "url", "Zip": "zip",
      ]
      return kinds[plain(arguments[0])].map { "fake \($0)" }
    case (.hoverfly, "iso8601DateTime"): return "now 'yyyy-MM-dd\\'T\\'HH:mm:ssX'"
    case (.hoverfly, "currentDateTime"): return "now"
    case (.hoverfly, "now"):
      let formats = ["": "iso8601", "unix": "epoch", "epoch": "millis"]
      guard let format = formats[arguments.count > 1 ? plain(arguments[1]) : ""] else { return nil }
      let offset = plain(arguments.first)
      return "now \(format)" + (offset.isEmpty ? "" : " offset='\(offset)'")
    case (.hoverfly, "Request.Body") where arguments.count == 2 && plain(arguments[0]) == "jsonpath":
      return try json(plain(arguments[1]), at: offset)
    default:
      guard let ours = Self.same[name], !ours.isEmpty, !arguments.isEmpty else { return nil }
      return call(ours)
    }
  }

  private func json(_ path: String, at offset: Int) throws(TemplateError) -> String {
    let whole = path.hasPrefix("$") ? path : "$.\(path)"
    guard !whole.contains(" ") else { throw TemplateError("the path \(path) has a blank in it", at: offset) }
    return "body.\(whole)"
  }

  private func time(
    _ name: String, _ arguments: [String], _ format: String?, _ offset: String?, _ zone: String?, at place: Int
  ) throws(TemplateError) -> String {
    guard zone == nil else { throw TemplateError("timezone= has no counterpart in a cassette", at: place) }
    var call = name == "date" && !arguments.isEmpty ? "date \(arguments[0])" : "now"
    let formats = ["'epoch'": "millis", "'unix'": "epoch", "\"epoch\"": "millis", "\"unix\"": "epoch"]
    if let format { call += " \(formats[format] ?? format)" }
    if let offset { call += " offset=\(offset)" }
    return call
  }

  // MARK: Paths

  func path(_ word: String, at offset: Int, _ loops: [String?]) throws(TemplateError) -> String {
    if Double(word) != nil || ["true", "false", "null"].contains(word) { return word }
    if ["this", "@index", "@key", "@first", "@last"].contains(word), !loops.isEmpty { return word }
    if word.hasPrefix("this.") || word.hasPrefix("../"), !loops.isEmpty { return word }
    let parts = word.split(separator: ".").map { $0.filter { $0 != "[" && $0 != "]" } }
    if let first = parts.first, loops.contains(first) { return word }
    let name = parts.dropFirst(2).joined(separator: ".")
    let head = parts.prefix(2).joined(separator: ".")
    switch (self, head) {
    case (.wireMock, "request.path"), (.hoverfly, "Request.Path"):
      return name.isEmpty ? "path" : "path.\(name)"
    case (.wireMock, "request.pathSegments"): return "path.\(name)"
    case (.wireMock, "request.query"), (.hoverfly, "Request.QueryParam"):
      if !name.isEmpty { return "query.\(name)" }
    case (.wireMock, "request.headers"), (.hoverfly, "Request.Header"):
      if !name.isEmpty { return "header.\(name)" }
    case (.wireMock, "request.cookies"): if !name.isEmpty { return "cookie.\(name)" }
    case (.wireMock, "request.formData"), (.hoverfly, "Request.FormData"):
      if !name.isEmpty { return "form.\(name)" }
    case (.wireMock, "request.body"), (.hoverfly, "Request.Body"): return "body"
    case (.wireMock, "request.bodyAsBase64"): return "base64 (string body)"
    case (.wireMock, "request.method"), (.hoverfly, "Request.Method"): return "method"
    case (.wireMock, "request.url"): return "url"
    case (.wireMock, "request.baseUrl"): return "base"
    case (.wireMock, "request.host"), (.hoverfly, "Request.Host"): return "host"
    case (.hoverfly, _) where parts.first == "State" && parts.count == 2: return "state.\(parts[1])"
    // Within a loop a bare name is one of the item.
    case (_, _) where parts.count == 1 && !loops.isEmpty: return "this.\(word)"
    default: break
    }
    throw TemplateError("\(word) has no counterpart in a cassette", at: offset)
  }
}
