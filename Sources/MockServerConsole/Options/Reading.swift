import Cassettes

extension Option {
  /// Parses a value according to the kind of this option.
  func read(_ text: String) throws(CommandError) -> Value {
    switch kind {
    case .flag:
      return .flag
    case .text, .path, .folder:
      return .text(text)
    case .choice(let choices):
      guard choices.contains(text) else {
        let suggestion = nearest(to: text, among: choices).map { "Did you mean \"\($0)\"?" }
        throw CommandError(.usage, "\(flag) is \(series(choices, "or")), not \"\(text)\"", hint: suggestion)
      }
      return .text(text)
    case .number(let range):
      guard let number = Int(text), range.contains(number) else {
        throw wrong(text, "a whole number from \(range.lowerBound) to \(range.upperBound)")
      }
      return .number(number)
    case .size(let range):
      guard let bytes = bytes(ofSize: text), range.contains(bytes) else {
        let (least, most) = (readableSize(range.lowerBound), readableSize(range.upperBound))
        throw wrong(text, "a size from \(least) to \(most), such as 8192, 64K or 64M", for: "64K")
      }
      return .number(bytes)
    case .seconds(let range):
      let number = text.hasSuffix("s") ? String(text.dropLast()) : text
      guard let seconds = Double(number), range.contains(seconds) else {
        throw wrong(text, "a number of seconds from \(range.lowerBound) to \(Int(range.upperBound)), such as 10 or 0.5")
      }
      return .seconds(seconds)
    case .age:
      let units: [Character: Double] = ["h": 3_600, "d": 86_400, "w": 604_800]
      guard let unit = text.last.flatMap({ units[$0] }), let count = Int(text.dropLast()), (1...100_000).contains(count)
      else {
        throw CommandError(
          .usage, "\(flag) is a number of days, weeks or hours, not \"\(text)\"", hint: "For instance: \(flag) 90d")
      }
      return .age(Double(count) * unit, text)
    case .factor(let range):
      guard let factor = Double(text.hasSuffix("x") ? String(text.dropLast()) : text), range.contains(factor) else {
        throw wrong(text, "a factor from \(Int(range.lowerBound)) to \(Int(range.upperBound)), such as 10 or 0.5")
      }
      return .factor(factor)
    }
  }

  private func wrong(_ text: String, _ expected: String, for instance: String = "2") -> CommandError {
    // A default that is a phrase is not an example of a value.
    let example = standard.flatMap { $0.contains(" ") ? nil : $0 } ?? instance
    return CommandError(.usage, "\(flag) is \(expected), not \"\(text)\"", hint: "For instance: \(flag) \(example)")
  }
}
