/// The syntax of field lines (RFC 9110 §5.1 and §5.5).
package enum FieldSyntax {
  /// Returns true if text is a token, the syntax of field names and methods (RFC 9110 §5.6.2).
  package static func isToken(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(ASCII.isToken)
  }

  /// Returns true if text is a valid field value, which contains no control characters other than tab.
  package static func isValue(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 }
  }
}
