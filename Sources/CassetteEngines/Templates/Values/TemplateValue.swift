internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching

/// The value of an expression.
package enum TemplateValue: Sendable {
  /// A missing value, or JSON `null`.
  case absent
  case bool(Bool)
  case integer(Int)
  case decimal(Double)
  case text(String)
  /// Several values of one name, such as a repeated query parameter.
  ///
  /// Loops visit all of them; other expressions use the first.
  case several([String])
  /// JSON source: an object, an array, or a number that the other cases would not preserve digit for digit.
  case json([UInt8])
  case list([TemplateValue])

  init(_ node: JSONTree.Node, in tree: JSONTree) { self.init(token: Array(tree.bytes[node.range])) }

  /// Creates a value from the source of one JSON value, without surrounding whitespace.
  init(token: [UInt8]) {
    switch token.first {
    case UInt8(ascii: "\""): self = .text(String(decoding: JSONTree.text(ofString: token[...]), as: UTF8.self))
    case UInt8(ascii: "t"): self = .bool(true)
    case UInt8(ascii: "f"): self = .bool(false)
    case UInt8(ascii: "n"), nil: self = .absent
    case UInt8(ascii: "{"), UInt8(ascii: "["): self = .json(token)
    default:
      let digits = String(decoding: token, as: UTF8.self)
      if let whole = Int(digits), String(whole) == digits { self = .integer(whole) } else { self = .json(token) }
    }
  }

  /// Creates a number, an integer if possible.
  ///
  /// Infinity and NaN become `absent`.
  init(_ number: Double) {
    if !number.isFinite {
      self = .absent
    } else if let whole = Int(exactly: number), abs(number) < 1e15 {
      self = .integer(whole)
    } else {
      self = .decimal(number)
    }
  }

  var isAbsent: Bool { if case .absent = self { true } else { false } }

  /// True if the value counts as true in a condition: every value except `absent`, `false`, 0, the empty string and the
  /// empty list.
  var isTrue: Bool {
    switch self {
    case .absent: false
    case .bool(let value): value
    case .integer(let number): number != 0
    case .decimal(let number): number != 0
    case .text(let text): !text.isEmpty
    case .several(let texts): !texts.isEmpty
    case .json(let token): token != Array("[]".utf8) && number != 0
    case .list(let values): !values.isEmpty
    }
  }

  /// The value as a string, for insertion into other text.
  var text: String {
    switch self {
    case .absent: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let number): String(number)
    case .decimal(let number): "\(number)"
    case .text(let text): text
    case .several(let texts): texts.first ?? ""
    case .json(let token): String(decoding: token, as: UTF8.self)
    case .list: String(decoding: json, as: UTF8.self)
    }
  }

  var json: [UInt8] {
    var bytes: [UInt8] = []
    appendJSON(to: &bytes)
    return bytes
  }

  func appendJSON(to bytes: inout [UInt8]) {
    switch self {
    case .absent: bytes += "null".utf8
    case .bool, .integer, .decimal: bytes += text.utf8
    case .text, .several: bytes += JSONString.encode(text)
    case .json(let token): bytes += token
    case .list(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.appendJSON(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  /// The number, also if a string contains it; nil for other values.
  var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .decimal(let number): number
    case .text, .several, .json: JSONNumber(Array(text.utf8)[...]) == nil ? nil : Double(text)
    case .absent, .bool, .list: nil
    }
  }

  /// The approximate size of the value's text in bytes, which is deducted from the budget.
  var size: Int {
    switch self {
    case .absent, .bool, .integer, .decimal: 8
    case .text(let text): text.utf8.count
    case .several(let texts): texts.reduce(0) { $0 + $1.utf8.count }
    case .json(let token): token.count
    case .list(let values): values.reduce(2) { $0 + $1.size + 1 }
    }
  }

  /// The items that a loop visits: array elements or object members.
  ///
  /// Empty for other values.
  var items: [(key: String?, value: TemplateValue)] {
    switch self {
    case .list(let values): return values.map { (nil, $0) }
    case .several(let texts): return texts.map { (nil, .text($0)) }
    case .json(let token):
      let value = JSONValue(checked: token)
      if value.isArray { return value.elements.map { (nil, TemplateValue(token: $0.bytes)) } }
      return value.members.map { ($0.name, TemplateValue(token: $0.value.bytes)) }
    case .absent, .bool, .integer, .decimal, .text: return []
    }
  }

  /// Returns the object member of a name, or the element if the name is an integer.
  func member(_ name: String) -> TemplateValue {
    if let index = Int(name) { return element(index) }
    guard case .json(let token) = self else { return .absent }
    return JSONValue(checked: token)[name].map { TemplateValue(token: $0.bytes) } ?? .absent
  }

  /// Returns the element at an index.
  ///
  /// A negative index counts from the end.
  func element(_ index: Int) -> TemplateValue {
    func picked<Values: RandomAccessCollection>(_ values: Values) -> Values.Element? where Values.Index == Int {
      let at = index < 0 ? values.count + index : index
      return values.indices.contains(at) ? values[at] : nil
    }
    switch self {
    case .list(let values): return picked(values) ?? .absent
    case .several(let texts): return picked(texts).map { .text($0) } ?? .absent
    case .text(let text): return index == 0 ? .text(text) : .absent
    case .json(let token):
      let value = JSONValue(checked: token)
      if value.isObject { return value[String(index)].map { TemplateValue(token: $0.bytes) } ?? .absent }
      return picked(value.elements).map { TemplateValue(token: $0.bytes) } ?? .absent
    case .absent, .bool, .integer, .decimal: return .absent
    }
  }
}

/// Represents the parts of a multipart body as a value.
enum MultipartText {
  /// Returns the parts by name, as JSON with their `name`, `filename`, `headers` and `body`; nil if there are no parts.
  static func json(of request: HTTPRequest) -> [UInt8]? {
    guard let type = request.headers.mediaType, type.type == "multipart" else { return nil }
    let parts = MultipartBody.parts(of: request.body, type: type)
    guard !parts.isEmpty else { return nil }
    var json = JSONWriter()
    json.object { json in
      for (number, part) in parts.enumerated() {
        json.object(part.name ?? String(number)) { item in
          item.member("name", part.name)
          item.member("filename", part.filename)
          // Field names are case-insensitive.
          item.object("headers") { fields in
            for field in part.headers { fields.member(field.name.lowercased(), field.value) }
          }
          item.member("body", String(decoding: part.content, as: UTF8.self))
        }
      }
    }
    return json.bytes
  }
}
