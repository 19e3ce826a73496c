package import CassettePatterns

/// Examples of strings that a pattern matches.
extension TextPattern {
  /// The maximum number of generated strings.
  private static let tries = 60

  /// A short example that matches; nil if none is found quickly.
  package var sample: String? {
    guard let node else { return nil }
    for repeats in [1, 0, 2] {
      var text = ""
      node.appendSample(to: &text, repeats: repeats)
      if matches(text) { return text }
    }
    return nil
  }

  /// Returns a string that matches the pattern.
  ///
  /// - `attempt`: 0 for a plain example if possible, any other number for a random string.
  ///
  /// Returns the string, or nil if none was found.
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
  /// Appends a string that the node matches, with `repeats` repetitions where the pattern allows it.
  fileprivate func appendSample(to text: inout String, repeats: Int) {
    switch self {
    case .characters(let set): if let sample = set.sample { text.unicodeScalars.append(sample) }
    case .sequence(let nodes): for node in nodes { node.appendSample(to: &text, repeats: repeats) }
    case .either(let nodes): nodes.first?.appendSample(to: &text, repeats: repeats)
    case .repeated(let node, let least, let most):
      for _ in 0..<min(max(least, repeats), most ?? .max) { node.appendSample(to: &text, repeats: repeats) }
    case .start, .end, .wordBoundary, .ahead: break
    }
  }

  /// Appends a string that the node matches, with random choices and repetitions.
  fileprivate func append(
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
  /// An example character, preferably a letter or a digit.
  fileprivate var sample: Unicode.Scalar? {
    let plain: [ClosedRange<UInt32>] = [0x61...0x7a, 0x41...0x5a, 0x31...0x39, 0x30...0x30, 0x2d...0x2e, 0x5f...0x5f]
    // For a single printable range, its first character (or 1 for digits) is the most typical.
    if !isNegated, let first = ranges.first, ranges.count == 1, first.upperBound <= 0x7e, first.lowerBound > 0x20 {
      return Unicode.Scalar(first == 0x30...0x39 ? 0x31 : first.lowerBound)
    }
    for range in plain {
      for scalar in range where contains(scalar) { return Unicode.Scalar(scalar) }
    }
    for scalar in UInt32(0x21)...0x7e where contains(scalar) { return Unicode.Scalar(scalar) }
    return positive.lazy.compactMap { Unicode.Scalar($0.lowerBound) }.first
  }

  /// Returns a random character of the set, preferably a letter or digit.
  fileprivate func random(_ random: inout some RandomNumberGenerator) -> Unicode.Scalar? {
    let plain = (UInt32(0x30)...0x7a).filter { scalar in
      !(0x3a...0x40).contains(scalar) && !(0x5b...0x60).contains(scalar) && contains(scalar)
    }
    if let scalar = plain.randomElement(using: &random) { return Unicode.Scalar(scalar) }
    return sample
  }
}
