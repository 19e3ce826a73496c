/// Colours a word where a terminal shows colours, and leaves it alone elsewhere.
struct Style: Equatable, Sendable {
  var colours: Bool

  static let plain = Style(colours: false)

  func red(_ text: String) -> String { paint(text, "31;1") }
  func yellow(_ text: String) -> String { paint(text, "33;1") }
  func bold(_ text: String) -> String { paint(text, "1") }
  func dim(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    colours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
