public import CassetteHTTP

/// A syntax error in a received message, with the status of the error response.
public struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The status that the server sends before it closes the connection.
  public let status: HTTPStatus
  /// A description of the error, for the developer of the client.
  public let message: String
  /// The section of the specification that the message violates, such as `RFC 9112 §5.1`.
  public let section: String
  /// The offset of the error in bytes, from the start of the head, or of the body if the body is chunked.
  public let offset: Int

  /// Creates an error, by default with status 400.
  public init(status: HTTPStatus = 400, message: String, section: String, offset: Int) {
    self.status = status
    self.message = message
    self.section = section
    self.offset = offset
  }

  init(_ message: String, _ section: String, at offset: Int, status: HTTPStatus = 400) {
    self.init(status: status, message: message, section: section, offset: offset)
  }

  /// The message, the offset and the section on one line.
  public var description: String { "\(message) (byte \(offset), \(section))" }
}
