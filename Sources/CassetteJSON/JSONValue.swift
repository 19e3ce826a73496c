internal import CassetteSystem

/// A value in a valid JSON document, whose parts are decoded on access.
package struct JSONValue: Sendable {
  private let text: [UInt8]
  private let range: Range<Int>

  /// Creates a value from a document that must be valid JSON.
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

  /// Parses a document; fails if it is not JSON.
  package init?(_ text: [UInt8]) {
    do { try JSONScanner.validate(text.span) } catch { return nil }
    self.init(checked: text)
  }

  /// The offset of the value in its document.
  package var offset: Int { range.lowerBound }

  /// The source of the value.
  package var bytes: [UInt8] { Array(text[range]) }

  package var isObject: Bool { first == UInt8(ascii: "{") }
  package var isArray: Bool { first == UInt8(ascii: "[") }
  package var isString: Bool { first == UInt8(ascii: "\"") }
  package var isNull: Bool { first == UInt8(ascii: "n") }
  private var first: UInt8? { range.isEmpty ? nil : text[range.lowerBound] }

  /// The first member with a name; `null` counts as missing.
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

  /// The members of an object, in order.
  package var members: [(name: String, value: JSONValue)] {
    guard isObject else { return [] }
    var members: [(name: String, value: JSONValue)] = []
    walk {
      members.append((String(decoding: $0, as: UTF8.self), JSONValue(text, $1)))
      return true
    }
    return members
  }

  /// The elements of an array, in order.
  package var elements: [JSONValue] {
    guard isArray else { return [] }
    var elements: [JSONValue] = []
    walk {
      elements.append(JSONValue(text, $1))
      return true
    }
    return elements
  }

  /// Returns the number of lines from the start of an earlier value in the same document to the start of this one.
  package func lines(below other: JSONValue) -> Int {
    text[min(other.range.lowerBound, range.lowerBound)..<range.lowerBound].count { $0 == 0x0a }
  }

  /// The decoded string; nil for other values.
  package var string: String? { isString ? String(decoding: stringBytes, as: UTF8.self) : nil }

  /// The decoded string in UTF-8; an unpaired surrogate is three bytes.
  ///
  /// Empty for other values.
  package var stringBytes: [UInt8] {
    guard isString else { return [] }
    return JSONString.decodeLoosely(text.span.extracting(range.lowerBound + 1..<range.upperBound - 1))
  }

  /// The number, also if it is in a string; nil for other values.
  package var number: Double? {
    guard let first else { return nil }
    if first == UInt8(ascii: "\"") { return string.flatMap { Double($0) } }
    return Double(String(decoding: text[range], as: UTF8.self))
  }

  /// The integer, also if it is in a string; nil for other values.
  package var integer: Int? { number.flatMap { Int(exactly: $0) } }

  package var isTrue: Bool { first == UInt8(ascii: "t") }

  /// The scalars of an array, or the scalar itself, as strings.
  package var strings: [String] { isArray ? elements.compactMap(\.scalar) : [scalar].compactMap(\.self) }

  /// The decoded string, or the source of a number or boolean; nil for other values.
  package var scalar: String? {
    if let string { return string }
    return isObject || isArray || isNull ? nil : String(decoding: text[range], as: UTF8.self)
  }

  /// Calls `use` with each member or element until it returns false.
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
      // Unreachable, because the document is valid.
    }
  }
}

extension JSONValue {
  /// The value without white space between its tokens, which are copied unchanged.
  package var compact: [UInt8] {
    var output: [UInt8] = []
    let bytes = bytes
    JSONStyle.compact.render(bytes.span, into: &output)
    return output
  }
}
