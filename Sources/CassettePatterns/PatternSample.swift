extension TextPattern {
  /// The maximum number of generated strings.
  private static let tries = 60

  /// Returns a string that matches the pattern.
  ///
  /// - Parameters:
  ///   - length: The allowed length in Unicode scalars.
  ///   - attempt: 0 for a plain example if possible, any other number for a random string.
  ///   - random: The source of random numbers.
  /// - Returns: The string, or nil if none was found.
  package func sample(
    length: ClosedRange<Int>, attempt: Int, _ random: inout some RandomNumberGenerator
  ) -> String? {
    if attempt == 0, let plain = sample, length.contains(plain.unicodeScalars.count) { return plain }
    guard let node else { return nil }
    for number in 0..<Self.tries {
      // The number of repetitions increases until the string is long enough.
      let most = number < 20 ? 3 : number < 40 ? max(3, length.lowerBound) : number
      let repeats = number % 4 == 3 && length.lowerBound > 0 ? length.lowerBound...length.lowerBound : 0...most
      var text = ""
      node.append(to: &text, repeats: repeats, longest: min(length.upperBound, Self.longestText) + 64, &random)
      if isPart, text.unicodeScalars.count < length.lowerBound {
        let short = length.lowerBound - text.unicodeScalars.count
        let longer = text + String(repeating: "a", count: min(short, Self.longestText))
        if matches(longer) { return longer }
      }
      if length.contains(text.unicodeScalars.count), matches(text) { return text }
    }
    return nil
  }
}

extension PatternNode {
  /// Appends a string that the node matches, with random choices and repetitions.
  func append(
    to text: inout String, repeats: ClosedRange<Int>, longest: Int, _ random: inout some RandomNumberGenerator
  ) {
    guard text.utf8.count < longest else { return }
    switch self {
    case .characters(let set): if let scalar = set.random(&random) { text.unicodeScalars.append(scalar) }
    case .sequence(let nodes):
      for node in nodes { node.append(to: &text, repeats: repeats, longest: longest, &random) }
    case .either(let nodes):
      nodes.randomElement(using: &random)?.append(to: &text, repeats: repeats, longest: longest, &random)
    case .repeated(let node, let least, let most):
      let wanted = Int.random(in: repeats, using: &random)
      for _ in 0..<min(max(least, wanted), most ?? .max) {
        node.append(to: &text, repeats: repeats, longest: longest, &random)
      }
    case .start, .end, .wordBoundary, .ahead: break
    }
  }
}

extension CharacterClass {
  /// Returns a random character of the set, preferably a letter or digit.
  fileprivate func random(_ random: inout some RandomNumberGenerator) -> Unicode.Scalar? {
    let plain = (UInt32(0x30)...0x7a).filter { scalar in
      !(0x3a...0x40).contains(scalar) && !(0x5b...0x60).contains(scalar) && contains(scalar)
    }
    if let scalar = plain.randomElement(using: &random) { return Unicode.Scalar(scalar) }
    return sample
  }
}
