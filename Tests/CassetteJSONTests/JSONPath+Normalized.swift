import CassetteJSON
import CassettePatterns

extension JSONPath {
  /// The normalized path of RFC 9535 §2.7: `$['a'][0]`.
  var normalized: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .element(let index): text += "[\(index)]"
      case .member(let name):
        // Single and double quotes have the same escapes, except for the quotes themselves.
        let quoted = String(decoding: JSONString.encode(name).dropFirst().dropLast(), as: UTF8.self)
        text += "['" + quoted.replacing("\\\"", with: "\"").replacing("'", with: "\\'") + "']"
      }
    }
  }
}

extension JSONTree {
  /// Returns the path to the value that begins at an offset of the text, or nil if no value begins there.
  func path(to offset: Int) -> JSONPath? {
    var steps: [JSONPath.Step] = []
    var node = root
    while node.range.lowerBound != offset {
      switch node.kind {
      case .object(let members):
        guard let member = members.last(where: { $0.value.range.lowerBound <= offset }) else { return nil }
        steps.append(.member(String(decoding: member.name, as: UTF8.self)))
        node = member.value
      case .array(let elements):
        guard let index = elements.lastIndex(where: { $0.range.lowerBound <= offset }) else { return nil }
        steps.append(.element(index))
        node = elements[index]
      case .scalar: return nil
      }
    }
    return JSONPath(steps)
  }
}
