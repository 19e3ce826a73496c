/// What is wrong with the bytes, and the status that says so.
public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The status a server answers with before it closes the connection.
  public let status: HTTPStatus
  /// What is wrong, in words for the person who wrote the client.
  public let message: String
  /// The paragraph that says so: `RFC 9112 §5.1`.
  public let section: String
  /// Where, counted from the first byte of the head, or of the body when it is chunked.
  public let offset: Int

  /// Makes an error; the status is 400 where no other says more.
  public init(status: HTTPStatus = 400, message: String, section: String, offset: Int) {
    self.status = status
    self.message = message
    self.section = section
    self.offset = offset
  }

  /// What, where and why, in one line.
  public var description: String { "\(message) (byte \(offset), \(section))" }
}
