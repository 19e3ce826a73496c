/// An error in a JSON text, with the byte at which it is.
public struct JSONTextError: Error, Equatable, Sendable {
  /// A description of the error, in words that follow a place: `expected a value`.
  public var message: String
  /// The byte at which it is wrong, counted from the first byte of the text.
  public var offset: Int

  package init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
