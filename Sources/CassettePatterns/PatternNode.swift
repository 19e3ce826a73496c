/// A node of a parsed pattern.
package indirect enum PatternNode {
  case characters(CharacterClass)
  case sequence([PatternNode])
  case either([PatternNode])
  case repeated(PatternNode, least: Int, most: Int?)
  case start
  case end
  case wordBoundary(Bool)
  case ahead(PatternNode, isNegated: Bool)

  /// The elements of a sequence, including those of nested sequences.
  var elements: [PatternNode] {
    guard case .sequence(let nodes) = self else { return [self] }
    return nodes.flatMap(\.elements)
  }
}
