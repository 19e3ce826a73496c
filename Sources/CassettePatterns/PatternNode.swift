/// A node of a parsed pattern.
indirect enum PatternNode {
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

  /// Appends a string that the node matches, with `repeats` repetitions where the pattern allows it.
  func appendSample(to text: inout String, repeats: Int) {
    switch self {
    case .characters(let set): if let sample = set.sample { text.unicodeScalars.append(sample) }
    case .sequence(let nodes): for node in nodes { node.appendSample(to: &text, repeats: repeats) }
    case .either(let nodes): nodes.first?.appendSample(to: &text, repeats: repeats)
    case .repeated(let node, let least, let most):
      for _ in 0..<min(max(least, repeats), most ?? .max) { node.appendSample(to: &text, repeats: repeats) }
    case .start, .end, .wordBoundary, .ahead: break
    }
  }
}
