/// The style of terminal output, which adds colours or leaves text unchanged.
package struct Style: Equatable, Sendable {
  package var colours: Bool

  /// Creates a style.
  ///
  /// - Parameter colours: True to use colours.
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
