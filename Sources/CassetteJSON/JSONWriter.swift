/// Writes objects, arrays and scalars as compact JSON.
package struct JSONWriter: Sendable {
  /// The JSON written so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init() {}

  /// Returns an object whose members `body` writes.
  package static func object(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(body)
    return writer.bytes
  }

  /// Writes an object whose members `body` writes.
  package mutating func object(_ body: (inout JSONWriter) -> Void) { nest("{", "}", body) }

  /// Writes an array whose elements `body` writes.
  package mutating func array(_ body: (inout JSONWriter) -> Void) { nest("[", "]", body) }

  /// Writes a member with an object.
  package mutating func object(_ name: String, _ body: (inout JSONWriter) -> Void) {
    key(name)
    nest("{", "}", body)
  }

  /// Writes a member with an array.
  package mutating func array(_ name: String, _ body: (inout JSONWriter) -> Void) {
    key(name)
    nest("[", "]", body)
  }

  /// Writes a member with an array that contains an object for each item, whose members `body` writes.
  package mutating func array<Items: Sequence>(
    _ name: String, of items: Items, _ body: (Items.Element, inout JSONWriter) -> Void
  ) {
    array(name) { list in for item in items { list.object { body(item, &$0) } } }
  }

  /// Writes a member with an array of strings.
  package mutating func member(_ name: String, _ texts: some Sequence<String>) {
    array(name) { list in for text in texts { list.element(text) } }
  }

  /// Writes a member with a string or `null`.
  package mutating func member(_ name: String, _ value: String?) {
    key(name)
    if let value { string(value) } else { raw("null") }
  }

  /// Writes a member with an integer.
  package mutating func member(_ name: String, _ value: Int) {
    key(name)
    raw("\(value)")
  }

  /// Writes a member with a number; infinity and NaN become `null`.
  package mutating func member(_ name: String, _ value: Double) {
    key(name)
    raw(value.isFinite ? "\(value)" : "null")
  }

  /// Writes a member with a boolean.
  package mutating func member(_ name: String, _ value: Bool) {
    key(name)
    raw(value ? "true" : "false")
  }

  /// Writes a member whose value is JSON source.
  package mutating func member(_ name: String, json: [UInt8]) {
    key(name)
    separate()
    bytes += json
  }

  /// Writes a string as an element.
  package mutating func element(_ value: String) {
    string(value)
  }

  private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
    separate()
    bytes += open.utf8
    needsComma = false
    body(&self)
    bytes += close.utf8
    needsComma = true
  }

  private mutating func key(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    // There is no comma between a key and its value.
    needsComma = false
  }

  private mutating func raw(_ text: String) {
    separate()
    bytes += text.utf8
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func string(_ text: String) {
    separate()
    bytes += JSONString.encode(text)
  }
}
