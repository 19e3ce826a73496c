public import CassetteHTTP

/// An error in the bytes of a message, with the status to answer it with.
public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The status a server answers with before it closes the connection.
  public let status: HTTPStatus
  /// A description of the error, for the person who wrote the client.
  public let message: String
  /// The paragraph that says so: `RFC 9112 §5.1`.
  public let section: String
  /// The offset of the error from the first byte of the head, or of the body when it is chunked.
  public let offset: Int

  /// Makes an error; the status is 400 where no other says more.
  public init(status: HTTPStatus = 400, message: String, section: String, offset: Int) {
    self.status = status
    self.message = message
    self.section = section
    self.offset = offset
  }

  init(_ message: String, _ section: String, at offset: Int, status: HTTPStatus = 400) {
    self.init(status: status, message: message, section: section, offset: offset)
  }

  /// The message, the offset and the section, in one line.
  public var description: String { "\(message) (byte \(offset), \(section))" }
}
