internal import CassetteContract
internal import CassetteJSON

/// Measures the number of schemas to visit if every reference of a schema is followed.
struct SchemaWeight {
  /// A value of a schema with more than this is made outside of an event loop: it may take a millisecond or more.
  static let heavy = 2_000
  /// The weight that is counted for anything heavier.
  private static let most = 1_000_000
  private static let depthLimit = 200

  private let nodes: OpenAPINodes
  /// The weights of the places that references lead to; 0 while one is measured.
  private var known: [String: Int] = [:]

  init(_ nodes: OpenAPINodes) { self.nodes = nodes }

  /// Returns the weight of the schema at a place.
  mutating func weight(at pointer: String, _ depth: Int = 0) -> Int {
    if let weight = known[pointer] { return weight }
    known[pointer] = 0
    let weight = nodes.node(at: pointer).map { self.weight(of: $0, depth) } ?? 0
    known[pointer] = weight
    return weight
  }

  private mutating func weight(of node: JSONTree.Node, _ depth: Int) -> Int {
    guard depth < Self.depthLimit else { return Self.most }
    var weight = 0
    switch node.kind {
    case .scalar: return 0
    case .array(let elements):
      for element in elements { weight = min(Self.most, weight + self.weight(of: element, depth + 1)) }
    case .object(let members):
      weight = 1
      if let reference = nodes["$ref", node].flatMap(nodes.text), reference.hasPrefix("#") {
        weight += self.weight(at: OpenAPINodes.pointer(ofFragment: reference), depth + 1)
      }
      // Elements that have to be there are made one by one.
      let elements = nodes["minItems", node].flatMap { Double(nodes.written($0)) } ?? 1
      for member in members {
        let part = self.weight(of: member.value, depth + 1)
        let isRepeated = part > 0 && member.name.elementsEqual("items".utf8)
        weight = Int(min(Double(Self.most), Double(weight) + Double(part) * (isRepeated ? max(1, elements) : 1)))
      }
    }
    return weight
  }
}
