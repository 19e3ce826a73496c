internal import CassetteSystem

/// Translates the values and helpers of other tools.
extension ForeignTemplate {
  /// Helpers of other tools, with the names of equivalent helpers.
  private static let same = [
    "upper": "upper", "lower": "lower", "capitalize": "capitalize", "capitalizeFirst": "capitalize", "trim": "trim",
    "join": "join", "size": "size", "urlEncode": "urlencode", "substring": "substring", "eq": "eq", "equal": "eq",
    "neq": "ne", "gt": "gt", "gte": "ge", "lt": "lt", "lte": "le", "and": "and", "or": "or", "not": "not",
    "replace": "replace", "contains": "contains", "first": "first", "last": "last", "lookup": "lookup",
    "range": "range", "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "divide",
    "toJson": "json", "concat": "concat", "length": "size",
  ]

  /// Hoverfly helpers that translate to one expression, independently of their arguments.
  private static let fixed = [
    "randomString": "random length=10", "randomBoolean": "fake boolean", "randomInteger": "random 0..2147483647",
    "randomFloat": "random", "randomEmail": "fake email", "randomIPv4": "fake ipv4", "randomIPv6": "fake ipv6",
    "randomUuid": "uuid", "iso8601DateTime": "now 'yyyy-MM-dd\\'T\\'HH:mm:ssX'", "currentDateTime": "now",
  ]

  /// Translates a helper call.
  ///
  /// Returns nil if the helper has no equivalent.
  func helper(
    _ name: String, _ arguments: [String], _ named: [(String, String)], at offset: Int
  ) throws(TemplateError) -> String? {
    func said(_ wanted: String) -> String? { named.first { $0.0 == wanted }?.1 }
    func plain(_ text: String?) -> String { (text ?? "").filter { $0 != "'" && $0 != "\"" } }
    func call(_ name: String, _ more: [String] = []) -> String {
      ([name] + (more.isEmpty ? arguments : more)).joined(separator: " ")
    }
    let standard = said("default").map { " default=\($0)" } ?? ""
    switch (tool, name) {
    case (.wireMock, "jsonPath") where arguments.count == 2 && arguments[0] == "body":
      return try json(plain(arguments[1]), at: offset) + standard
    case (.wireMock, "now"), (.wireMock, "date"):
      return try time(name, arguments, said("format"), said("offset"), said("timezone"), at: offset)
    case (.wireMock, "randomValue"):
      let length = said("length") ?? "36"
      switch plain(said("type")) {
      case "UUID": return "uuid"
      case "ALPHANUMERIC" where plain(said("uppercase")) == "true":
        return "upper (random length=\(length) of=alphanumeric)"
      case "ALPHANUMERIC": return "random length=\(length) of=alphanumeric"
      case "ALPHABETIC": return "random length=\(length) of=letters"
      case "NUMERIC": return "random length=\(length) of=digits"
      case "HEXADECIMAL": return "random length=\(length) of=hex"
      default: return nil
      }
    case (.wireMock, "randomInt"), (.wireMock, "randomDecimal"):
      let (lower, upper) = (said("lower") ?? "-2147483648", said("upper") ?? "2147483647")
      guard Double(lower) != nil, let most = Int(upper) else { return nil }
      return name == "randomInt" ? "random \(lower)..\(most - 1)" : "random \(lower)..\(most).00"
    case (.wireMock, "pickRandom") where named.isEmpty: return call("random")
    // Without a pattern, WireMock's `parseDate` accepts the formats that `date` reads.
    case (.wireMock, "parseDate") where arguments.count == 1 && named.isEmpty: return call("date")
    case (.wireMock, "isOdd") where arguments.count == 1: return "eq (modulo \(arguments[0]) 2) 1"
    case (.wireMock, "isEven") where arguments.count == 1: return "eq (modulo \(arguments[0]) 2) 0"
    case (.wireMock, "base64") where named.allSatisfy { $0.0 == "decode" }:
      let decodes = plain(said("decode")) == "true" ? " decode=true" : ""
      return call("base64") + decodes
    case (.wireMock, "math") where arguments.count == 3:
      let operations = ["+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"]
      return operations[plain(arguments[1])].map { "\($0) \(arguments[0]) \(arguments[2])" }
    case (.hoverfly, "randomStringLength") where arguments.count == 1: return "random length=\(arguments[0])"
    case (.hoverfly, "randomIntegerRange") where arguments.count == 2: return "random \(arguments[0])..\(arguments[1])"
    case (.hoverfly, "faker") where arguments.count == 1:
      let kinds = [
        "Name": "name", "FirstName": "firstName", "LastName": "lastName", "Email": "email", "City": "city",
        "Country": "country", "Company": "company", "Phone": "phone", "Street": "street", "Word": "word",
        "Sentence": "sentence", "Username": "username", "URL": "url", "Zip": "zip",
      ]
      return kinds[plain(arguments[0])].map { "fake \($0)" }
    case (.hoverfly, "now"):
      let formats = ["": "iso8601", "unix": "epoch", "epoch": "millis"]
      guard let format = formats[arguments.count > 1 ? plain(arguments[1]) : ""] else { return nil }
      let offset = plain(arguments.first)
      return "now \(format)" + (offset.isEmpty ? "" : " offset='\(offset)'")
    case (.hoverfly, "Request.Body") where arguments.count == 2 && plain(arguments[0]) == "jsonpath":
      return try json(plain(arguments[1]), at: offset)
    default:
      if tool == .hoverfly, let ours = Self.fixed[name] { return ours }
      guard let ours = Self.same[name], !ours.isEmpty, !arguments.isEmpty, named.isEmpty else { return nil }
      return call(ours)
    }
  }

  private func json(_ path: String, at offset: Int) throws(TemplateError) -> String {
    let whole = path.hasPrefix("$") ? path : "$.\(path)"
    guard !whole.contains(" ") else { throw TemplateError("the path \(path) contains a space", at: offset) }
    return "body.\(whole)"
  }

  private func time(
    _ name: String, _ arguments: [String], _ format: String?, _ offset: String?, _ zone: String?, at place: Int
  ) throws(TemplateError) -> String {
    let zone = zone?.filter { $0 != "'" && $0 != "\"" }
    guard zone == nil || ["UTC", "GMT", "Z"].contains(zone) else {
      throw TemplateError("timezone= has no counterpart in a cassette", at: place)
    }
    var call = name == "date" && !arguments.isEmpty ? "date \(arguments[0])" : "now"
    let formats = ["'epoch'": "millis", "'unix'": "epoch", "\"epoch\"": "millis", "\"unix\"": "epoch"]
    if let format { call += " \(formats[format] ?? format)" }
    if let offset { call += " offset=\(offset)" }
    return call
  }

  // MARK: Paths

  func path(_ word: String, at offset: Int, _ loops: [Loop]) throws(TemplateError) -> String {
    if Double(word) != nil || ["true", "false", "null"].contains(word) { return word }
    if ["this", "@index", "@key", "@first", "@last"].contains(word), !loops.isEmpty { return word }
    if let expression = variables[word] { return expression }
    // WireMock has the members of the request line twice.
    let line = "request.requestLine."
    let word = word.hasPrefix(line) ? "request.\(word.dropFirst(line.count))" : word
    let parts = Self.parts(of: word)
    if word.hasPrefix("this."), let loop = loops.last {
      return loop.isOfParts ? try part("this", parts.dropFirst(), at: offset) : word
    }
    if word.hasPrefix("../"), !loops.isEmpty { return word }
    if let first = parts.first, let loop = loops.last(where: { $0.names.contains(first) }) {
      // The second block parameter is the key.
      let isOfItem = loop.isOfParts && loop.names.first == first && parts.count > 1
      return isOfItem ? try part(first, parts.dropFirst(), at: offset) : word
    }
    if let first = parts.first, let root = named[first] {
      let rest = parts.dropFirst().joined(separator: ".")
      return root == "body" && !rest.isEmpty ? "body.$.\(rest)" : rest.isEmpty ? root : "\(root).\(rest)"
    }
    let name = parts.dropFirst(2).map(Self.step).joined(separator: ".")
    let head = parts.prefix(2).joined(separator: ".")
    if head.hasPrefix(tool == .wireMock ? "request." : "Request.") {
      if let value = Self.values[head] { return value }
      if head == "request.parts", parts.count > 3 {
        return try part("parts.\(Self.step(parts[2]))", parts.dropFirst(3), at: offset)
      }
      if head == "request.path", let pathNames, parts.count == 3, Int(parts[2]) == nil {
        guard let segment = pathNames[parts[2]] else {
          throw TemplateError("\(word) is not a whole segment of the urlPathTemplate", at: offset)
        }
        return "path.\(segment)"
      }
      if let root = Self.roots[head], !name.isEmpty { return "\(root).\(name)" }
      if let root = Self.roots[head], root == "path" || root == "parts" { return root }
    }
    switch (tool, head) {
    case (.wireMock, "request.pathSegments") where !name.isEmpty: return "path.\(name)"
    case (.wireMock, _) where parts.first == "parameters" && parts.count == 2:
      if let value = parameters[parts[1]] { return try literal(value, at: offset) }
    case (.hoverfly, _) where parts.first == "State" && parts.count == 2:
      // In Hoverfly, a state that was never set is empty rather than `Started`.
      return "(replace state.\(parts[1]) 'Started' '')"
    // Within a loop, a bare name is a member of the item.
    case (_, _) where parts.count == 1 && !loops.isEmpty:
      return loops.last?.isOfParts == true ? try part("this", parts[...], at: offset) : "this.\(word)"
    default: break
    }
    throw TemplateError("\(word) has no counterpart in a cassette", at: offset)
  }

  /// Translates a member of a multipart part: its name, its text, or a header field, whose name is case-insensitive.
  private func part(_ root: String, _ steps: ArraySlice<String>, at offset: Int) throws(TemplateError) -> String {
    let names = Array(steps)
    switch names.first {
    case "name" where names.count == 1, "body" where names.count == 1, "headers" where names.count == 1:
      return "\(root).\(names[0])"
    case "headers" where names.count == 2: return "\(root).headers.\(Self.step(names[1].lowercased()))"
    default:
      throw TemplateError("\(names.joined(separator: ".")) of a part has no counterpart in a cassette", at: offset)
    }
  }

  /// Complete values of other tools, and their expressions in a cassette.
  private static let values = [
    "request.multipart": "(gt (size parts) 0)", "request.body": "body", "request.bodyAsBase64": "base64 (string body)",
    "request.method": "method", "request.url": "url", "request.baseUrl": "base", "request.id": "uuid",
    "request.scheme": "(first (split base ':'))", "request.host": "(first (split host ':'))",
    "request.port": "(last (split host ':'))", "Request.Body": "body", "Request.Method": "method",
    "Request.Scheme": "(first (split base ':'))", "Request.Host": "host",
  ]
  /// Values of other tools that are followed by a name, such as `request.headers` in `request.headers.Host`.
  private static let roots = [
    "request.path": "path", "request.query": "query", "request.headers": "header", "request.cookies": "cookie",
    "request.formData": "form", "request.formParameters": "form", "request.parts": "parts", "Request.Path": "path",
    "Request.QueryParam": "query", "Request.Header": "header", "Request.FormData": "form",
  ]

  /// Splits a path at its dots, except those within brackets.
  private static func parts(of word: String) -> [String] {
    var parts = [""]
    var isInBrackets = false
    for character in word {
      switch character {
      case "[": isInBrackets = true
      case "]": isInBrackets = false
      case "." where !isInBrackets: parts.append("")
      default: parts[parts.count - 1].append(character)
      }
    }
    return parts.filter { !$0.isEmpty }
  }

  /// Returns a path step in the syntax of this project's templates: in brackets if the name contains special
  /// characters.
  private static func step(_ name: String) -> String {
    name.utf8.allSatisfy { TemplateParser.letters.contains($0) } ? name : "[\(name)]"
  }

  private func literal(_ json: [UInt8], at offset: Int) throws(TemplateError) -> String {
    let value = TemplateValue(token: json)
    switch value {
    case .bool, .integer, .decimal: return value.text
    case .text(let text) where !text.contains("'"): return "'\(text.replacing("\\", with: "\\\\"))'"
    default: throw TemplateError("a parameter that is not plain text has no counterpart in a cassette", at: offset)
    }
  }
}
