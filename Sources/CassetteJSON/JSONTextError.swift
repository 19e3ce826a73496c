/// What is wrong with a JSON text, and at which byte.
public struct JSONTextError: Error, Equatable, Sendable {
  /// What is wrong, in words that follow a place: `expected a value`.
  public var message: String
  /// The byte at which it is wrong, counted from the first byte of the text.
  public var offset: Int

  package init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
