import CassetteJSON
import CassettePatterns

extension JSONPath {
  /// The path in the one spelling that RFC 9535 §2.7 gives it: `$['a'][0]`.
  var normalized: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .element(let index): text += "[\(index)]"
      case .member(let name):
        // Between other quotes, what is escaped is the same but for the quotes.
        let quoted = String(decoding: JSONString.encode(name).dropFirst().dropLast(), as: UTF8.self)
        text += "['" + quoted.replacing("\\\"", with: "\"").replacing("'", with: "\\'") + "']"
      }
    }
  }
}

extension JSONTree {
  /// Returns the path to the value that begins at an offset of the text; nil where none does.
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
