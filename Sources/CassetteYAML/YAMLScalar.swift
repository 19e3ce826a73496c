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
