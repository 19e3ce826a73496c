/// The syntax of field lines (RFC 9110 §5.1 and §5.5).
package enum FieldSyntax {
  /// Tells whether a text is a token, as the names of fields and methods are (RFC 9110 §5.6.2).
  package static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(ASCII.isToken)
  }

  /// Tells whether a text may be a field's value: no control character but the tab.
  package static func isValue(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }
  }
}
