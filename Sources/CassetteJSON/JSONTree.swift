/// A JSON text's values and where they are written.
package struct JSONTree: Sendable {
  /// A value, and where it is written.
  package struct Node: Sendable {
    package var range: Range<Int>
    package var kind: Kind

    package init(range: Range<Int>, kind: Kind) {
      self.range = range
      self.kind = kind
    }
  }

  /// A member of an object.
  package struct Member: Sendable {
    package var name: [UInt8]
    package var value: Node

    package init(name: [UInt8], value: Node) {
      self.name = name
      self.value = value
    }
  }

  /// The kind of a value, with its members or elements.
  package enum Kind: Sendable {
    case object([Member])
    case array([Node])
    case scalar
  }

  package let bytes: [UInt8]
  package let root: Node

  /// Reads a text; nil when it is not JSON.
  package init?(_ bytes: [UInt8]) {
    do {
      // Checked first, so that the walk below is safe to recurse.
      try JSONScanner.validate(bytes.span)
      var at = 0
      root = try Self.node(bytes.span, &at)
      self.bytes = bytes
    } catch {
      return nil
    }
  }

  /// Creates a tree of values whose text is in some bytes.
  package init(_ bytes: [UInt8], root: Node) {
    self.bytes = bytes
    self.root = root
  }

  /// Returns the text of a string token, as bytes.
  package static func text(ofString token: ArraySlice<UInt8>) -> [UInt8] {
    let content = Array(token.dropFirst().dropLast())
    return JSONString.decodeLoosely(content.span)
  }

  private static func node(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) -> Node {
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    let start = at
    let kind: Kind
    switch bytes[at] {
    case UInt8(ascii: "{"):
      var members: [Member] = []
      try items(bytes, &at, until: UInt8(ascii: "}")) { (bytes, at) throws(JSONTextError) in
        let start = at + 1
        try JSONScanner.skipString(in: bytes, at: &at)
        let name = JSONString.decodeLoosely(bytes.extracting(start..<at - 1))
        try JSONScanner.skipColon(in: bytes, at: &at)
        members.append(Member(name: name, value: try node(bytes, &at)))
      }
      kind = .object(members)
    case UInt8(ascii: "["):
      var elements: [Node] = []
      try items(bytes, &at, until: UInt8(ascii: "]")) { (bytes, at) throws(JSONTextError) in
        elements.append(try node(bytes, &at))
      }
      kind = .array(elements)
    default:
      try JSONScanner.skipValue(in: bytes, at: &at)
      kind = .scalar
    }
    return Node(range: start..<at, kind: kind)
  }

  private static func items(
    _ bytes: Span<UInt8>, _ at: inout Int, until close: UInt8,
    _ item: (Span<UInt8>, inout Int) throws(JSONTextError) -> Void
  ) throws(JSONTextError) {
    at += 1
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    while bytes[at] != close {
      if bytes[at] == UInt8(ascii: ",") { at += 1 }
      JSONScanner.skipWhitespace(in: bytes, at: &at)
      try item(bytes, &at)
      JSONScanner.skipWhitespace(in: bytes, at: &at)
    }
    at += 1
  }
}
