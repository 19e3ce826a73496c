internal import CassetteSystem

/// A value in a comparison of a filter.
///
/// Values of different types are never equal.
enum JSONQueryValue: Equatable, Sendable {
  case nothing
  case null
  case bool(Bool)
  case number(JSONNumber)
  /// A number whose exponent exceeds 32 bits; it has no order.
  case oddNumber([UInt8])
  case text([UInt8])
  /// An array or object in canonical form, and its number of children.
  case container([UInt8], count: Int)

  init(_ node: JSONTree.Node, in tree: JSONTree) {
    switch node.kind {
    case .object(let members): self = .container(tree.canonical(node), count: members.count)
    case .array(let elements): self = .container(tree.canonical(node), count: elements.count)
    case .scalar: self.init(token: tree.bytes[node.range])
    }
  }

  init(token: ArraySlice<UInt8>) {
    switch token.first {
    case UInt8(ascii: "\""): self = .text(JSONTree.text(ofString: token))
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "t"): self = .bool(true)
    case UInt8(ascii: "f"): self = .bool(false)
    default: self = JSONNumber(token).map { .number($0) } ?? .oddNumber(Array(token))
    }
  }

  init(_ count: Int) { self.init(token: Array(String(count).utf8)[...]) }

  /// The number of characters, elements or members (RFC 9535 §2.4.4); nil for other values.
  var length: Int? {
    switch self {
    case .text(let text): text.count { $0 & 0xc0 != 0x80 }
    case .container(_, let count): count
    case .nothing, .null, .bool, .number, .oddNumber: nil
    }
  }

  /// Compares numbers or strings; other values have no order (RFC 9535 §2.3.5.2.2).
  static func < (one: JSONQueryValue, other: JSONQueryValue) -> Bool {
    switch (one, other) {
    case (.number(let one), .number(let other)): one < other
    // UTF-8 has the same order as Unicode scalars.
    case (.text(let one), .text(let other)): one.lexicographicallyPrecedes(other)
    default: false
    }
  }
}

extension JSONTree {
  /// Returns a canonical form, which is the same for equal values: sorted members, normalized numbers and strings.
  package func canonical(_ node: Node) -> [UInt8] {
    var text: [UInt8] = []
    appendCanonical(node, to: &text)
    return text
  }

  private func appendCanonical(_ node: Node, to text: inout [UInt8]) {
    switch node.kind {
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
        JSONString.append(member.name.span, to: &text)
        appendCanonical(member.value, to: &text)
      }
      text.append(UInt8(ascii: "}"))
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for element in elements {
        appendCanonical(element, to: &text)
        text.append(UInt8(ascii: ","))
      }
      text.append(UInt8(ascii: "]"))
    case .scalar:
      let token = bytes[node.range]
      if token.first == UInt8(ascii: "\"") {
        let string = Self.text(ofString: token)
        JSONString.append(string.span, to: &text)
      } else if let number = JSONNumber(token) {
        text += "\(number.isNegative ? "-" : "")".utf8 + number.digits + "e\(number.exponent)".utf8
      } else {
        text += token
      }
    }
  }
}
