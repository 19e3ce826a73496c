/// Places in a JSON text: a path whose steps may be any: `$.items[*].id`.
package struct JSONPlace: Hashable, Sendable, CustomStringConvertible {
  /// The steps from the root; nil for any element or member.
  let steps: [JSONPath.Step?]
  /// As it was written.
  package let description: String

  /// Reads a path as ``JSONPath`` writes it, with `[*]` or `.*` for any step.
  package init?(_ text: String) {
    var steps: [JSONPath.Step?] = []
    var rest = text[...]
    guard rest.hasPrefix("$") else { return nil }
    rest.removeFirst()
    while !rest.isEmpty {
      if rest.hasPrefix("[*]") || rest.hasPrefix(".*") {
        steps.append(nil)
        rest.removeFirst(rest.hasPrefix(".") ? 2 : 3)
        continue
      }
      // The longest beginning that is a path, up to the next star.
      var end = rest.endIndex
      for star in rest.indices where rest[star...].hasPrefix("[*]") || rest[star...].hasPrefix(".*") {
        guard JSONPath("$" + rest[..<star]) != nil else { continue }
        end = star
        break
      }
      guard let path = JSONPath("$" + rest[..<end]), !path.steps.isEmpty else { return nil }
      steps += path.steps
      rest = rest[end...]
    }
    self.steps = steps
    description = text
  }

  /// Tells whether a path leads to one of the places.
  func holds(_ path: [JSONPath.Step]) -> Bool {
    path.count == steps.count && zip(path, steps).allSatisfy { $1 == nil || $0 == $1 }
  }

  /// The values at the places of a text: strings decoded, everything else as it is written.
  package func values(in tree: JSONTree) -> [[UInt8]] {
    var nodes = [tree.root]
    for step in steps {
      switch step {
      case .member(let name)?:
        let name = Array(name.utf8)
        nodes = nodes.flatMap { node -> [JSONTree.Node] in
          guard case .object(let members) = node.kind else { return [] }
          return members.lazy.filter { $0.name == name }.map(\.value)
        }
      case .element(let index)?:
        nodes = nodes.compactMap { node in
          guard case .array(let elements) = node.kind, elements.indices.contains(index) else { return nil }
          return elements[index]
        }
      case nil:
        nodes = nodes.flatMap { node -> [JSONTree.Node] in
          switch node.kind {
          case .object(let members): members.map(\.value)
          case .array(let elements): elements
          case .scalar: []
          }
        }
      }
    }
    return nodes.map { node in
      let token = tree.bytes[node.range]
      return token.first == UInt8(ascii: "\"") ? JSONTree.text(ofString: token) : Array(token)
    }
  }
}
