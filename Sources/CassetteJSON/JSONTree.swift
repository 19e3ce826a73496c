internal import CassetteSystem

/// The values of a JSON document, with their ranges in the source.
package struct JSONTree: Sendable {
  /// A value, with its range in the source.
  package struct Node: Sendable {
    package var range: Range<Int>
    package var kind: Kind

    package init(range: Range<Int>, kind: Kind) {
      self.range = range
      self.kind = kind
    }

    /// The first member with a name; nil if it is missing, or if the value is not an object.
    package subscript(name: String) -> Node? {
      guard case .object(let members) = kind else { return nil }
      return members.first { $0.name.elementsEqual(name.utf8) }?.value
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

    /// The name as a string.
    package var text: String { String(decoding: name, as: UTF8.self) }
  }

  /// The type of a value, with its members or elements.
  package enum Kind: Sendable {
    case object([Member])
    case array([Node])
    case scalar
  }

  package let bytes: [UInt8]
  package let root: Node

  /// Parses a document; fails if it is not JSON.
  package init?(_ bytes: [UInt8]) {
    do {
      // Validation limits the nesting depth, so that the recursion below is safe.
      try JSONScanner.validate(bytes.span)
      var at = 0
      root = try Self.node(bytes.span, &at)
      self.bytes = bytes
    } catch {
      return nil
    }
  }

  /// Creates a tree for a value in a larger document.
  package init(_ bytes: [UInt8], root: Node) {
    self.bytes = bytes
    self.root = root
  }

  /// Returns a decoded string in UTF-8, or nil for other values.
  package func string(_ node: Node?) -> [UInt8]? {
    guard let node, bytes[node.range].first == UInt8(ascii: "\"") else { return nil }
    return Self.text(ofString: bytes[node.range])
  }

  /// Returns the decoded content of a string token in UTF-8.
  package static func text(ofString token: ArraySlice<UInt8>) -> [UInt8] {
    let content = Array(token.dropFirst().dropLast())
    return JSONString.decodeLoosely(content.span)
  }

  private static func node(_ bytes: Span<UInt8>, _ at: inout Int) throws(JSONTextError) -> Node {
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    let start = at
    let kind: Kind
    if var items = JSONItems(in: bytes, at: &at) {
      var members: [Member] = []
      var elements: [Node] = []
      while try items.next(in: bytes, at: &at) {
        let name = items.name
        let value = try node(bytes, &at)
        if items.isObject {
          members.append(Member(name: JSONString.decodeLoosely(bytes.extracting(name)), value: value))
        } else {
          elements.append(value)
        }
      }
      kind = items.isObject ? .object(members) : .array(elements)
    } else {
      try JSONScanner.skipValue(in: bytes, at: &at)
      kind = .scalar
    }
    return Node(range: start..<at, kind: kind)
  }
}
