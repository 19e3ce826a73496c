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

  /// Whether a path leads to one of the places.
  func holds(_ path: [JSONPath.Step]) -> Bool {
    path.count == steps.count && zip(path, steps).allSatisfy { $1 == nil || $0 == $1 }
  }

  /// The scalars at the places of a text, strings decoded and the rest as it is written; nil when it is not JSON.
  package func values(in text: [UInt8]) -> [String]? {
    guard let tree = JSONTree(text) else { return nil }
    var nodes = [tree.root]
    for step in steps {
      nodes = nodes.flatMap { node -> [JSONTree.Node] in
        switch (step, node.kind) {
        case (.member(let name)?, .object(let members)):
          members.filter { $0.name == Array(name.utf8) }.map(\.value)
        case (.element(let index)?, .array(let elements)): elements.indices.contains(index) ? [elements[index]] : []
        case (nil, .object(let members)): members.map(\.value)
        case (nil, .array(let elements)): elements
        default: []
        }
      }
    }
    return nodes.map { node in
      let token = text[node.range]
      let isString = token.first == UInt8(ascii: "\"")
      return String(decoding: isString ? JSONTree.text(ofString: token) : Array(token), as: UTF8.self)
    }
  }
}
