/// The style of terminal output, which adds colors or leaves text unchanged.
package struct Style: Equatable, Sendable {
  /// True to use colors.
  package var colors: Bool

  static let plain = Style(colors: false)

  package func red(_ text: String) -> String { paint(text, "31;1") }
  package func yellow(_ text: String) -> String { paint(text, "33;1") }
  package func bold(_ text: String) -> String { paint(text, "1") }
  package func dim(_ text: String) -> String { paint(text, "2") }

  private func paint(_ text: String, _ code: String) -> String {
    colors ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
