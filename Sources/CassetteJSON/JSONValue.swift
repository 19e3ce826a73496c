internal import CassetteSystem

/// A value of a JSON text that was checked before, looked into without decoding the rest.
package struct JSONValue: Sendable {
  private let text: [UInt8]
  private let range: Range<Int>

  /// Creates the value of a text, which must be valid JSON.
  package init(checked text: [UInt8]) {
    self.text = text
    var start = 0
    JSONScanner.skipWhitespace(in: text.span, at: &start)
    range = start..<text.count
  }

  private init(_ text: [UInt8], _ range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// Reads a text; nil when it is not JSON.
  package init?(_ text: [UInt8]) {
    do { try JSONScanner.validate(text.span) } catch { return nil }
    self.init(checked: text)
  }

  /// The bytes as they are written.
  package var bytes: [UInt8] { Array(text[range]) }

  package var isObject: Bool { first == UInt8(ascii: "{") }
  package var isArray: Bool { first == UInt8(ascii: "[") }
  package var isString: Bool { first == UInt8(ascii: "\"") }
  package var isNull: Bool { first == UInt8(ascii: "n") }
  private var first: UInt8? { range.isEmpty ? nil : text[range.lowerBound] }

  /// The first member of that name; `null` counts as absent.
  package subscript(name: String) -> JSONValue? {
    guard isObject else { return nil }
    let wanted = Array(name.utf8)
    var found: JSONValue?
    walk { name, value in
      guard name == wanted else { return true }
      found = JSONValue(text, value)
      return false
    }
    return found.flatMap { $0.isNull ? nil : $0 }
  }

  /// An object's members in their order.
  package var members: [(name: String, value: JSONValue)] {
    guard isObject else { return [] }
    var members: [(name: String, value: JSONValue)] = []
    walk {
      members.append((String(decoding: $0, as: UTF8.self), JSONValue(text, $1)))
      return true
    }
    return members
  }

  /// An array's elements in their order.
  package var elements: [JSONValue] {
    guard isArray else { return [] }
    var elements: [JSONValue] = []
    walk {
      elements.append(JSONValue(text, $1))
      return true
    }
    return elements
  }

  /// Counts the lines between the beginning of another value of the same text and of this one.
  package func lines(below other: JSONValue) -> Int {
    text[min(other.range.lowerBound, range.lowerBound)..<range.lowerBound].count { $0 == 0x0a }
  }

  /// A string's text.
  package var string: String? { isString ? String(decoding: stringBytes, as: UTF8.self) : nil }

  /// A string's text as bytes; half a surrogate pair is three bytes, as nothing else can be made of it.
  package var stringBytes: [UInt8] {
    guard isString else { return [] }
    return JSONString.decodeLoosely(text.span.extracting(range.lowerBound + 1..<range.upperBound - 1))
  }

  /// A number, or a string that holds one.
  package var number: Double? {
    guard let first else { return nil }
    if first == UInt8(ascii: "\"") { return string.flatMap { Double($0) } }
    return Double(String(decoding: text[range], as: UTF8.self))
  }

  /// A whole number, or a string that holds one.
  package var integer: Int? { number.flatMap { Int(exactly: $0) } }

  package var isTrue: Bool { first == UInt8(ascii: "t") }

  /// Strings of an array, or the one there is.
  package var strings: [String] { isArray ? elements.compactMap(\.scalar) : [scalar].compactMap(\.self) }

  /// A string's text, or a number or word as it is written.
  package var scalar: String? {
    if let string { return string }
    return isObject || isArray || isNull ? nil : String(decoding: text[range], as: UTF8.self)
  }

  /// Calls back with each member or element until it says false.
  private func walk(_ use: (_ name: [UInt8], _ value: Range<Int>) -> Bool) {
    let span = text.span
    var at = range.lowerBound
    guard var items = JSONItems(in: span, at: &at) else { return }
    do {
      while try items.next(in: span, at: &at) {
        let name = items.isObject ? JSONString.decodeLoosely(span.extracting(items.name)) : []
        let start = at
        try JSONScanner.skipValue(in: span, at: &at)
        guard use(name, start..<at) else { return }
      }
    } catch {
      // The text was checked; nothing comes here.
    }
  }
}

extension JSONValue {
  /// The value without white space between its tokens, each token as it is written.
  package var compact: [UInt8] {
    var output: [UInt8] = []
    let bytes = bytes
    JSONStyle.compact.render(bytes.span, into: &output)
    return output
  }
}
