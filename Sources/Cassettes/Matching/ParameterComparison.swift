internal import HTTP

/// Whether two lists of parameters say the same: between names the order is free, within a name it counts.
enum ParameterComparison {
  /// Whether what was sent is what was recorded; a recorded secret equals any that was sent.
  static func equal(_ sent: String, _ recorded: String) -> Bool {
    let (sent, recorded) = (ordered(sent), ordered(recorded))
    guard sent.count == recorded.count else { return false }
    return zip(sent, recorded).allSatisfy { now, then in
      guard now.name == then.name else { return false }
      let (value, expected) = (now.value ?? "", then.value ?? "")
      return value == expected || Matcher.matches(value, placeholderIn: expected)
    }
  }

  private static func ordered(_ text: String) -> [QueryItem] {
    QueryItem.parse(text).enumerated()
      .sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }.map(\.element)
  }
}
