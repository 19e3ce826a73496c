internal import CassetteJSON
internal import CassetteSecrets

/// A number under a secret's name, which is recorded as `0` to keep the body valid JSON.
enum SecretNumber {
  /// Returns true if a recorded number replaces a secret.
  static func isOne(_ token: ArraySlice<UInt8>, named name: String) -> Bool {
    guard token.elementsEqual([UInt8(ascii: "0")]), SecretNames.isParameter(name) else { return false }
    // A number named `code`, as in `"code": 404`, is a status.
    return name.lowercased().filter(\.isLetter) != "code"
  }

  /// Returns true if a body contains a redacted number.
  static func isIn(_ tree: JSONTree) -> Bool { isIn(tree.root, named: [], of: tree) }

  private static func isIn(_ node: JSONTree.Node, named name: [UInt8], of tree: JSONTree) -> Bool {
    switch node.kind {
    case .object(let members): members.contains { isIn($0.value, named: $0.name, of: tree) }
    case .array(let elements): elements.contains { isIn($0, named: name, of: tree) }
    case .scalar:
      node.range.count == 1 && isOne(tree.bytes[node.range], named: String(decoding: name, as: UTF8.self))
    }
  }
}
