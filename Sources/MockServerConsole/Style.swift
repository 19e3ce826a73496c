/// Colours a word where a terminal shows colours, and leaves it alone elsewhere.
package struct Style: Equatable, Sendable {
  package var colours: Bool

  /// Creates a style, with colours or without.
  package init(colours: Bool) { self.colours = colours }

  package static let plain = Style(colours: false)

  package func red(_ text: String) -> String { paint(text, "31;1") }
  package func yellow(_ text: String) -> String { paint(text, "33;1") }
  package func bold(_ text: String) -> String { paint(text, "1") }
  package func dim(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    colours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
