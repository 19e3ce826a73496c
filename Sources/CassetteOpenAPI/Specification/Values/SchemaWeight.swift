internal import CassetteJSON

/// Counts the schemas to visit if every reference of a schema is followed.
struct SchemaWeight {
  /// The weight above which a value is generated outside of the event loop, because it may take a millisecond or more.
  static let heavy = 2_000
  /// The maximum weight; greater weights count as this one.
  private static let most = 1_000_000
  private static let depthLimit = 200

  private let nodes: OpenAPINodes
  /// The weights of referenced schemas by pointer; 0 while the weight is computed.
  private var known: [String: Int] = [:]

  init(_ nodes: OpenAPINodes) { self.nodes = nodes }

  /// Returns the weight of the schema at a pointer.
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
      // Required elements are generated one by one.
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
