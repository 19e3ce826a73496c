/// A syntax error in YAML, with its offset.
package struct YAMLError: Error, Equatable, Sendable {
  /// The description of the error, to be printed after its location: `expected a key`.
  package var message: String
  /// The offset of the error in bytes.
  package var offset: Int

  package init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
