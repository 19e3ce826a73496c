// Not part of the package: see `BehaviourFuzzer.swift`.

import CassetteEngines
import CassetteHTTP
import CassetteJSON
import CassetteSystem
import Cassettes

/// Makes mostly valid templates, paths, schemas and patches.
///
/// The bytes are the choices, followed by random choices.
struct Grammar {
  private var bytes: ArraySlice<UInt8>
  private var random: SeededRandom

  init(_ bytes: ArraySlice<UInt8>, seed: UInt64) {
    self.bytes = bytes
    random = SeededRandom(seed: seed, Array(bytes))
  }

  /// Returns a number below a limit.
  mutating func below(_ count: Int) -> Int {
    if let byte = bytes.popFirst(), count <= 256 { return Int(byte) % count }
    return Int(random.next() % UInt64(count))
  }

  mutating func pick(_ choices: [String]) -> String { choices[below(choices.count)] }

  /// Splits a string at bars or line breaks.
  private static func list(_ text: String) -> [String] {
    text.split { $0 == "¦" || $0.isNewline }.map { part in
      String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
  }

  /// Truncates, repeats or modifies a string in one of twenty calls.
  mutating func damaged(_ text: String) -> String {
    guard below(20) == 0, !text.isEmpty else { return text }
    let at = text.index(text.startIndex, offsetBy: below(text.count))
    switch below(4) {
    case 0: return String(text[..<at])
    case 1: return String(text[at...])
    case 2: return text + text
    default: return text[..<at] + word() + text[at...]
    }
  }

  mutating func word() -> String {
    pick([
      "a", "b", "id", "x-y", "", "ä", "\u{1}", "\u{2028}", "0", "-1", "1e400", "99999999999999999999", "null", "$",
      "..",
      "*", "'", "\"", "\\", "{", "}}", "<b>", "a&b=c", "😀",
    ])
  }

  // MARK: Templates

  mutating func content() -> TemplateContent {
    let choices: [TemplateContent] = [
      .json, .json, .json, .json, .json, .json, .json, .markup, .form, .text, .field, .link, .jsonString, .jsonPiece,
    ]
    return choices[below(choices.count)]
  }

  func encoded(_ text: String) -> String { String(decoding: JSONString.encode(text), as: UTF8.self) }

  /// Returns a template that is JSON, or is JSON after rendering.
  mutating func document() -> String {
    if below(5) > 0 { return element(0, 0) }
    let members = (0..<1 + below(4)).map { _ in
      "\(encoded(plainWord())): \(below(2) == 0 ? "{{\(expression(0, 0))}}" : "\"{{\(expression(0, 0))}}\"")"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func plainWord() -> String { pick(["a", "b", "id", "x-y", "ä", "with \"quotes\"", "n"]) }

  private mutating func element(_ depth: Int, _ loops: Int) -> String {
    let kind = depth > 4 ? below(5) : below(10)
    switch kind {
    case 0...3: return encoded(text(depth, loops))
    case 4: return pick(["0", "-1.50", "true", "null", "\"x\"", "1e400"])
    case 5, 6: return "[\((0..<below(4)).map { _ in element(depth + 1, loops) }.joined(separator: ", "))]"
    case 7: return block(depth, loops)
    default:
      let members = (0..<below(4)).map { _ in
        "\(encoded(below(4) == 0 ? text(depth, loops) : plainWord())): \(element(depth + 1, loops))"
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  /// Returns an object with a block.
  private mutating func block(_ depth: Int, _ loops: Int) -> String {
    let (head, inner) = head(loops)
    var text = "{\(encoded("{{#\(head)}}")): \(element(depth + 1, inner))"
    if below(2) == 0 { text += ", \"{{else}}\": \(element(depth + 1, loops))" }
    return text + "}"
  }

  private mutating func head(_ loops: Int) -> (String, Int) {
    let kind = pick(["if", "unless", "each", "each", "with"])
    let isLoop = kind == "each" || kind == "with"
    let subject = isLoop ? list(loops) : expression(1, loops)
    return ("\(kind) \(subject)\(isLoop ? pick(["", "", " as |it|", " as |it at|"]) : "")", loops + (isLoop ? 1 : 0))
  }

  private mutating func list(_ loops: Int) -> String {
    pick([
      "body.$.items", "body.$..*", "body", "query.tag", "(range 1 3)", "2..4", "(split query.q ',')", "body.$.none",
      "parts",
    ])
  }

  mutating func template() -> String { text(0, 0) }

  private mutating func text(_ depth: Int, _ loops: Int) -> String {
    var text = ""
    for _ in 0..<1 + below(3) {
      switch depth > 4 ? below(7) : below(10) {
      case 0, 1:
        text +=
          below(12) == 0
          ? word()
          : pick(["a", " ", "x=", "/", "ä", "&", "<p>", "\""])
      case 2...6: text += below(8) == 0 ? "{{{\(expression(0, loops))}}}" : "{{\(expression(0, loops))}}"
      case 7: text += "{{~\(expression(0, loops))~}}"
      default:
        let (head, inner) = head(loops)
        let otherwise = below(2) == 0 ? "" : "{{else}}\(self.text(depth + 1, loops))"
        text += "{{#\(head)}}\(self.text(depth + 1, inner))\(otherwise){{/\(head.prefix { $0 != " " })}}"
      }
    }
    return text
  }

  private static let none = list(
    #"""
    uuid ¦ now ¦ now http ¦ now epoch ¦ now iso8601 offset=-1d zone=+02:00 ¦ jwt sub='a' exp='+1h' ¦ fake email
    fake price
    """#)
  private static let one = list(
    #"""
    upper ¦ lower ¦ trim ¦ capitalize ¦ size ¦ first ¦ last ¦ number ¦ string ¦ json ¦ parse ¦ urlencode ¦ not
    base64 ¦ sha256 ¦ round ¦ date
    """#)
  private static let two = list(
    #"""
    lookup ¦ eq ¦ ne ¦ lt ¦ le ¦ gt ¦ ge ¦ contains ¦ startsWith ¦ endsWith ¦ add ¦ subtract ¦ multiply ¦ divide
    modulo ¦ split ¦ join ¦ range ¦ concat ¦ and ¦ or ¦ random ¦ substring
    """#)

  private static let values = list(
    #"""
    path ¦ path.0 ¦ path.id ¦ query.page ¦ query.tag ¦ query.tag.1 ¦ query.evil ¦ header.X-Id ¦ cookie.theme
    form.n ¦ parts ¦ body ¦ body.$.n ¦ body.$.name ¦ body.$.items[0].id ¦ body.$..id ¦ body.$.items[?@.id>1].tag
    body.$.none default='x' ¦ state.cart ¦ method ¦ url ¦ base ¦ host ¦ session ¦ 'text \'s' ¦ 7 ¦ -3.5
    """#)
  private static let items = list("this ¦ this.id ¦ this.tag.x ¦ @index ¦ @key ¦ @last ¦ @first")

  /// Returns a value or a call between braces.
  private mutating func expression(_ depth: Int, _ loops: Int) -> String {
    switch depth > 3 ? 0 : below(7) {
    case 0...2:
      let value = pick(loops > 0 && below(3) == 0 ? Self.items : Self.values)
      return depth > 0 && value.contains(" default") ? "(\(value))" : value
    case 3: return wrapped(depth, below(3) == 0 ? "counter c start=5" : pick(Self.none))
    case 4: return wrapped(depth, "\(pick(Self.one)) \(expression(depth + 1, loops))")
    case 5: return wrapped(depth, "\(pick(Self.two)) \(expression(depth + 1, loops)) \(expression(depth + 1, loops))")
    default: return wrapped(depth, "replace \(expression(depth + 1, loops)) 'a' \(expression(depth + 1, loops))")
    }
  }

  private func wrapped(_ depth: Int, _ call: String) -> String { depth == 0 ? call : "(\(call))" }

  /// Returns the context of a request with every kind of value.
  mutating func context() -> TemplateContext {
    guard let target = HTTPTarget("/users/4%202?page=2&tag=a&tag=%22b&evil=%0d%0aX:%201&q=a%26b,%3Cc%3E") else {
      preconditionFailure("the target of every request")
    }
    var request = HTTPRequest(
      method: .post, target: target,
      headers: [("X-Id", "h\"1"), ("Cookie", "a=1; theme=da%22rk"), ("Content-Type", "application/json")])
    request.body = body()
    var context = TemplateContext(
      request: request, base: "http://127.0.0.1:8080", session: "s", now: 1_795_352_645_123_000_000,
      random: SeededRandom(seed: random.next()))
    context.pathNames = { ["id": "4%202"] }
    context.state = { $0 == "cart" ? "fu\"ll\n" : nil }
    context.count = { _, start, step in start + step }
    return context
  }

  /// Returns a request body, mostly with the members that paths refer to.
  mutating func body() -> [UInt8] {
    switch below(6) {
    case 0...3:
      return Array(
        #"{"n": 5, "price": 1.50, "name": "Ann \"A\" <b>\u0000\ud83d\ude00", "big": 12345678901234567890, "on": true, "none": null, "#
          .utf8)
        + Array(
          #""items": [{"id": 1, "tag": "x"}, {"id": 2, "tag": {"x": "y\\"}}], "empty": [], "a": {"b": [1, "a"]}}"#.utf8)
    case 4: return Array(value().utf8)
    default:
      return Array(
        pick(["", "n=1&name=%00", "{\"a\"", "[1e400, -0, 9007199254740993]", "\"\\ud800\"", "a\u{0}b"]).utf8)
    }
  }

  // MARK: Values, paths, schemas, patches

  mutating func value(_ depth: Int = 0) -> String {
    switch depth > 4 ? 0 : below(5) {
    case 0...2:
      return below(2) == 0
        ? encoded(word()) : pick(["0", "-1", "7", "1.5", "1e3", "true", "null", "1e400", "{}", "[]"])
    case 3: return "[\((0..<below(4)).map { _ in value(depth + 1) }.joined(separator: ","))]"
    default:
      let names = ["a", "b", "id", "items", "n", "name"].filter { _ in below(3) == 0 }
      return "{\(names.map { "\"\($0)\":\(value(depth + 1))" }.joined(separator: ","))}"
    }
  }

  private static let steps = list(
    #"""
    .a ¦ .items ¦ ..* ¦ [*] ¦ [0] ¦ [-1] ¦ [::2] ¦ [1:9:0] ¦ ['id'] ¦ ['a','b',0] ¦ [?@.a==1] ¦ [?@.id>1]
    [?match(@.tag,'(a*)*b')] ¦ [?search(@,'a.c')] ¦ [?@..b] ¦ [?length(@)>1] ¦ [?count(@.*)==2]
    [?!(@.a && $..b)] ¦ [?@.a<=@.b||value(@.c)==null] ¦ ..['a'] ¦ ..[?@]
    """#)

  mutating func place() -> String {
    var text = "$"
    for _ in 0..<below(5) {
      text += pick(Self.steps)
    }
    return text
  }

  mutating func schema(_ depth: Int = 0) -> String {
    if depth > 3 { return pick(["true", "false", "{}", "{\"$ref\":\"#\"}", "{\"type\":\"integer\"}"]) }
    var members: [String: String] = [:]
    for _ in 0..<1 + below(4) {
      switch below(22) {
      case 0:
        members["type"] = pick(["\"object\"", "\"array\"", "[\"string\",\"null\"]", "\"integer\"", "\"nothing\""])
      case 1: members["properties"] = "{\"a\":\(schema(depth + 1)),\"items\":\(schema(depth + 1))}"
      case 2:
        members["patternProperties"] = "{\(encoded(pick(["^a", "(a*)*b", ".", "[", "\\p{L}"]))):\(schema(depth + 1))}"
      case 3: members["items"] = schema(depth + 1)
      case 4: members["prefixItems"] = "[\(schema(depth + 1)),\(schema(depth + 1))]"
      case 5: members[pick(["allOf", "anyOf", "oneOf"])] = "[\(schema(depth + 1)),\(schema(depth + 1))]"
      case 6: members["not"] = schema(depth + 1)
      case 7:
        (members["if"], members["then"], members["else"]) = (schema(depth + 1), schema(depth + 1), schema(depth + 1))
      case 8: (members["contains"], members["minContains"]) = (schema(depth + 1), pick(["0", "1", "2"]))
      case 9: members["enum"] = "[\(value()),\(value())]"
      case 10: members["const"] = value()
      case 11: members[pick(["minimum", "maximum", "exclusiveMinimum"])] = pick(["0", "1.5", "1e400", "-1"])
      case 12: members["multipleOf"] = pick(["0.1", "3", "0", "1e-400"])
      case 13:
        members[pick(["minLength", "maxLength", "minItems", "maxItems", "minProperties"])] = pick(["0", "1", "3", "-1"])
      case 14: members["uniqueItems"] = "true"
      case 15: members["required"] = "[\"a\",\"id\"]"
      case 16: members["format"] = pick(["\"email\"", "\"date-time\"", "\"regex\"", "\"uri\"", "\"x\""])
      case 17:
        members[pick(["unevaluatedProperties", "additionalProperties", "unevaluatedItems", "propertyNames"])] = schema(
          depth + 1)
      case 18: members["dependentSchemas"] = "{\"a\":\(schema(depth + 1))}"
      case 19: members["pattern"] = encoded(pick(["^a", "(a|b)*c", "(?=a)", "\\d{2,30}", "[^"]))
      case 20:
        members["$ref"] = pick(["\"#\"", "\"#/$defs/a\"", "\"http://127.0.0.1:1/x\"", "\"#a\"", "\"#/properties/a\""])
      default: (members["$defs"], members["$anchor"]) = ("{\"a\":\(schema(depth + 1))}", "\"a\"")
      }
    }
    return "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }

  mutating func operations() -> String {
    let list = (0..<below(6)).map { _ in
      let paths = [
        "", "/", "/a", "/a/b", "/a/b/0", "/a/b/-", "/items/0", "/items/1/tag", "/~01", "/n", "/a/99999999999999999999",
        "a",
      ]
      let op = pick(["add", "remove", "replace", "move", "copy", "test", "x"])
      return "{\"op\":\"\(op)\",\"path\":\"\(pick(paths))\",\"from\":\"\(pick(paths))\",\"value\":\(value())}"
    }
    return "[\(list.joined(separator: ","))]"
  }
}
