internal import CassetteSystem

/// Resolves plain scalars to null, booleans, numbers or strings (YAML 1.2.2 §10.3.2).
enum YAMLScalar {
  enum Kind { case null, bool, integer, float }

  /// Returns the JSON of a plain scalar, or nil if it is a string.
  static func token(of content: [UInt8], _ schema: YAMLReader.Schema) -> [UInt8]? {
    guard content.count <= 400 else { return nil }
    // A fast path for numbers that are valid in JSON, which are the most frequent case.
    if isPlainNumber(content) { return content }
    guard content.count <= 5 || content.allSatisfy(numberBytes.contains) else { return nil }
    let text = String(decoding: content, as: UTF8.self)
    switch text {
    case "", "~", "null", "Null", "NULL": return Array("null".utf8)
    case "true", "True", "TRUE": return Array("true".utf8)
    case "false", "False", "FALSE": return Array("false".utf8)
    case "yes", "Yes", "YES", "on", "On", "ON": return schema == .legacy ? Array("true".utf8) : nil
    case "no", "No", "NO", "off", "Off", "OFF": return schema == .legacy ? Array("false".utf8) : nil
    default: break
    }
    guard let first = content.first, first < 0x3a, first != UInt8(ascii: "!") else { return nil }
    return schema == .legacy ? legacyNumber(text) : number(text)
  }

  /// Returns true if a scalar is an integer or decimal number that is valid in JSON as well.
  private static func isPlainNumber(_ content: [UInt8]) -> Bool {
    let start = content.first == UInt8(ascii: "-") ? 1 : 0
    var (at, point) = (start, content.count)
    while at < content.count {
      if content[at] == UInt8(ascii: "."), point == content.count {
        point = at
      } else if !content[at].isDigit {
        return false
      }
      at += 1
    }
    return point > start && point + 1 != content.count && (point == start + 1 || content[start] != 0x30)
      && (point < content.count || start == 0 && content[start] != 0x30)
  }

  /// The bytes of numbers in every base, and of sexagesimal numbers.
  private static let numberBytes = ByteSet(0x30...0x39, 0x41...0x46, 0x61...0x66, adding: "box+-._:")

  /// Returns the type of a JSON token that `token(of:_:)` has returned.
  static func type(ofToken token: [UInt8]) -> Kind {
    switch token.first {
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: token.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }) ? .float : .integer
    }
  }

  private static func number(_ text: String) -> [UInt8]? {
    if let digits = digits(text, after: "0o") { return whole(digits, radix: 8) }
    if let digits = digits(text, after: "0x") { return whole(digits, radix: 16) }
    return decimal(text)
  }

  /// Parses a number as PyYAML and Psych do: an exponent requires a sign and a decimal point.
  private static func legacyNumber(_ text: String) -> [UInt8]? {
    var rest = Substring(text.replacing("_", with: ""))
    guard text.first != "_" else { return nil }
    var sign = ""
    if rest.first == "-" || rest.first == "+" { sign = rest.removeFirst() == "-" ? "-" : "" }
    for (prefix, radix) in [("0b", 2), ("0x", 16), ("0", 8)] where rest.count > prefix.count {
      guard let digits = digits(String(rest), after: prefix) else { continue }
      guard let value = whole(digits, radix: radix) else { continue }
      return Array(sign.utf8) + value
    }
    // `09` is not an octal number, and is therefore a string.
    if rest.first == "0", rest.count > 1, rest.allSatisfy(\.isASCIIDigit) { return nil }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count > 1 {
      let numbers = parts.compactMap { part in part.allSatisfy(\.isASCIIDigit) ? Int(part) : nil }
      guard numbers.count == parts.count, numbers.count < 6, numbers.dropFirst().allSatisfy({ $0 < 60 }) else {
        return nil
      }
      let (value, isOver) = numbers.reduce((0, false)) { sum, number in
        let (product, isOver) = sum.0.multipliedReportingOverflow(by: 60)
        let (total, isToo) = product.addingReportingOverflow(number)
        return (total, sum.1 || isOver || isToo)
      }
      return isOver ? nil : Array("\(sign)\(value)".utf8)
    }
    if let exponent = rest.firstIndex(where: { $0 == "e" || $0 == "E" }) {
      let mark = rest.index(after: exponent)
      guard rest[..<exponent].contains("."), mark < rest.endIndex, rest[mark] == "+" || rest[mark] == "-" else {
        return nil
      }
    }
    return decimal(sign + rest)
  }

  private static func digits(_ text: String, after prefix: String) -> Substring? {
    text.hasPrefix(prefix) && text.utf8.count > prefix.utf8.count ? text.dropFirst(prefix.count) : nil
  }

  private static func whole(_ digits: Substring, radix: Int) -> [UInt8]? {
    guard digits.first != "+", digits.first != "-" else { return nil }
    return UInt64(digits, radix: radix).map { Array("\($0)".utf8) }
  }

  /// Returns a decimal number in the syntax of JSON: without a plus sign, leading zeros or a bare decimal point.
  private static func decimal(_ text: String) -> [UInt8]? {
    var rest = text.utf8[...]
    var json: [UInt8] = []
    if rest.first == UInt8(ascii: "-") { json.append(UInt8(ascii: "-")) }
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    let whole = rest.prefix(while: \.isDigit)
    rest = rest[whole.endIndex...]
    json += whole.isEmpty ? [0x30] : Array(whole.drop { $0 == 0x30 })
    if json.last == nil || json.last == UInt8(ascii: "-") { json.append(0x30) }
    var fraction = rest.prefix(0)
    if rest.first == UInt8(ascii: ".") {
      fraction = rest.dropFirst().prefix(while: \.isDigit)
      rest = rest[fraction.endIndex...]
      json += [UInt8(ascii: ".")] + (fraction.isEmpty ? [0x30] : Array(fraction))
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    guard let mark = rest.first else { return json }
    guard mark | 0x20 == UInt8(ascii: "e") else { return nil }
    rest = rest.dropFirst()
    json.append(mark)
    if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+"), let sign = rest.popFirst() {
      json.append(sign)
    }
    guard !rest.isEmpty, rest.allSatisfy(\.isDigit) else { return nil }
    return json + rest
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { asciiValue.map(\.isDigit) ?? false }
}

/// Reads an escape sequence of a double-quoted scalar (YAML 1.2.2 §5.7).
struct YAMLEscape {
  private let text: [UInt8]
  private let start: Int
  /// The offset of the first byte after the sequence.
  private(set) var at: Int

  /// Creates a reader of the sequence whose backslash is at an offset.
  init(_ text: [UInt8], at start: Int) { (self.text, self.start, at) = (text, start, start + 1) }

  /// Returns the character of the sequence.
  mutating func scalar() throws(YAMLError) -> Unicode.Scalar {
    let letter = at < text.count ? text[at] : 0
    at += 1
    let digits: Int
    switch letter {
    case UInt8(ascii: "x"): digits = 2
    case UInt8(ascii: "u"): digits = 4
    case UInt8(ascii: "U"): digits = 8
    default:
      guard let scalar = Self.escapes[letter] else { throw YAMLError("unknown escape sequence", at: start) }
      return scalar
    }
    var value = try number(digits)
    // JSON generators write characters beyond 16 bits as surrogate pairs.
    if letter == UInt8(ascii: "u"), value & 0xfc00 == 0xd800, text[at...].starts(with: Array("\\u".utf8)) {
      at += 2
      let low = try number(4)
      guard low & 0xfc00 == 0xdc00 else { throw YAMLError("half of a surrogate pair", at: start) }
      value = 0x10000 + (value & 0x3ff) << 10 + low & 0x3ff
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw YAMLError("an escape sequence is not a valid character", at: start)
    }
    return scalar
  }

  private mutating func number(_ digits: Int) throws(YAMLError) -> UInt32 {
    let end = min(at + digits, text.count)
    guard end - at == digits, text[at..<end].allSatisfy({ $0.hexadecimalValue != nil }),
      let value = UInt32(String(decoding: text[at..<end], as: UTF8.self), radix: 16)
    else { throw YAMLError("an escape sequence needs \(digits) hexadecimal digits", at: start) }
    at = end
    return value
  }

  private static let escapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "0"): "\0", UInt8(ascii: "a"): "\u{7}", UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "t"): "\t",
    0x09: "\t",
    UInt8(ascii: "n"): "\n", UInt8(ascii: "v"): "\u{b}", UInt8(ascii: "f"): "\u{c}", UInt8(ascii: "r"): "\r",
    UInt8(ascii: "e"): "\u{1b}", 0x20: " ", UInt8(ascii: "\""): "\"", UInt8(ascii: "/"): "/", UInt8(ascii: "\\"): "\\",
    UInt8(ascii: "N"): "\u{85}", UInt8(ascii: "_"): "\u{a0}", UInt8(ascii: "L"): "\u{2028}",
    UInt8(ascii: "P"): "\u{2029}",
  ]
}

/// Interprets the tags of nodes, and refuses unknown ones (YAML 1.2.2 §10.3).
struct YAMLTags {
  /// The interpretation of a scalar.
  enum Meaning {
    case text, binary
    /// Resolution like a plain scalar; an associated type must match the resolved one.
    case resolved(YAMLScalar.Kind?)
    case collection
  }

  private let policy: YAMLReader.Tags

  init(_ policy: YAMLReader.Tags) { self.policy = policy }

  private static let core = "tag:yaml.org,2002:"

  /// Returns the interpretation of a scalar by its tag, or by its style if it has no tag.
  func meaning(of tag: [UInt8]?, _ style: YAMLComposer.Style, at place: Int) throws(YAMLError) -> Meaning {
    guard let tag else { return style == .plain ? .resolved(nil) : .text }
    let name = String(decoding: tag, as: UTF8.self)
    switch name.hasPrefix(Self.core) ? String(name.dropFirst(Self.core.count)) : name {
    case "!", "str", "timestamp", "value", "merge": return .text
    case "null": return .resolved(.null)
    case "bool": return .resolved(.bool)
    case "int": return .resolved(.integer)
    case "float": return .resolved(.float)
    case "binary", "!binary": return policy == .aside ? .text : .binary
    case "map", "seq", "set", "omap", "pairs": return .collection
    case let python where policy == .ofRecorders && Self.ofPython[python] != nil:
      return Self.ofPython[python] ?? .text
    default:
      try allow(name, at: place)
      return .text
    }
  }

  /// Python tags for types of the core schema.
  private static let ofPython: [String: Meaning] = [
    "python/bytes": .binary, "python/none": .resolved(.null), "python/bool": .resolved(.bool),
    "python/int": .resolved(.integer), "python/long": .resolved(.integer), "python/float": .resolved(.float),
  ]

  /// Throws if a tag is unknown, or not allowed for a collection of this kind.
  func check(_ tag: [UInt8]?, _ kind: YAMLComposer.Kind, at place: Int) throws(YAMLError) {
    guard let tag else { return }
    let name = String(decoding: tag, as: UTF8.self)
    switch name.hasPrefix(Self.core) ? String(name.dropFirst(Self.core.count)) : name {
    case "!": return
    case "map", "set": if kind == .mapping { return }
    case "seq", "omap", "pairs": if kind == .sequence { return }
    case "str", "null", "bool", "int", "float", "binary", "timestamp": break
    default: return try allow(name, at: place)
    }
    throw YAMLError("the tag \(name) does not fit this node", at: place)
  }

  /// True if the last of two equal keys counts, as in readers based on libyaml; otherwise equal keys are an error.
  var takesLastOfKeys: Bool { policy == .ofRecorders }

  /// True if lines inside brackets and quotes may have any indentation, as in readers based on libyaml.
  var ignoresInnerIndentation: Bool { policy == .ofRecorders }

  /// Returns the Python type that a tag names if JSON cannot represent its value; nil for any other tag.
  func object(of tag: [UInt8]?) -> String? {
    guard policy == .ofRecorders, let tag else { return nil }
    let name = String(decoding: tag, as: UTF8.self)
    let bare = name.hasPrefix(Self.core) ? name.dropFirst(Self.core.count) : name.drop { $0 == "!" }
    let isObject = ["python/object", "python/name", "python/module"].contains { bare.hasPrefix($0) }
    return isObject ? String(bare) : nil
  }

  /// Returns the name of a plain key: a Ruby symbol (`:method`) loses its colon.
  func key(_ content: [UInt8]) -> [UInt8] {
    guard policy == .ofRecorders, content.first == UInt8(ascii: ":"), content.count > 1 else { return content }
    return Array(content.dropFirst())
  }

  private func allow(_ name: String, at place: Int) throws(YAMLError) {
    switch policy {
    case .aside, .ofRecorders: return
    case .refused: throw YAMLError("the tag \(name) is not supported", at: place)
    }
  }
}
