/// A mistake in a YAML text, and the byte at which it is.
package struct YAMLError: Error, Equatable, Sendable {
  /// The mistake, in words that follow a place: `expected a key`.
  package var message: String
  /// The byte at which it is, counted from the first byte of the text.
  package var offset: Int

  package init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
