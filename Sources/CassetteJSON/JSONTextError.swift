/// A syntax error in JSON, with its offset.
public struct JSONTextError: Error, Equatable, Sendable {
  /// A description of the error, to be printed after its location: `expected a value`.
  public var message: String
  /// The offset of the error in bytes.
  public var offset: Int

  init(_ message: String, at offset: Int) {
    self.message = message
    self.offset = offset
  }
}
