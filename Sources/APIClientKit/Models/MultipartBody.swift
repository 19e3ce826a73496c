public import Foundation

/// A body with fields and files, encoded as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// let body = MultipartBody([.field("title", "Holiday"), .file("photo", data: jpeg, name: "a.jpg", type: "image/jpeg")])
/// try await client.send(.post("/photos", body: body))
/// ```
/// The body is built in memory. Use `upload(for:fromFile:)` for larger content.
public struct MultipartBody: EncodedBody {
  /// A field or file of the body.
  public struct Part: Hashable, Sendable {
    /// The name of the field.
    public var name: String
    /// The content.
    public var data: Data
    /// The name of the file; nil for a field that is not a file.
    public var fileName: String?
    /// The media type; nil for plain text.
    public var type: String?

    /// Creates a text field.
    public static func field(_ name: String, _ text: String) -> Part { Part(name: name, data: Data(text.utf8)) }

    /// Creates a file from data.
    public static func file(
      _ field: String, data: Data, name: String, type: String = "application/octet-stream"
    ) -> Part { Part(name: field, data: data, fileName: name, type: type) }

    /// Creates a file from a file on disk, with the same name.
    public static func file(_ field: String, at url: URL, type: String = "application/octet-stream") throws -> Part {
      Part(name: field, data: try Data(contentsOf: url), fileName: url.lastPathComponent, type: type)
    }
  }

  /// The parts in the order in which they are sent.
  public var parts: [Part]
  /// The boundary between parts, which must not occur in their content.
  public let boundary: String

  /// Creates a body.
  ///
  /// - Parameters:
  ///   - parts: The parts in the order in which they are sent.
  ///   - boundary: The boundary between parts; nil (the default) for a random boundary.
  public init(_ parts: [Part], boundary: String? = nil) {
    self.parts = parts
    self.boundary = boundary ?? "boundary-\(UUID().uuidString)"
  }

  /// The media type with the boundary.
  public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// Returns the encoded body.
  ///
  /// Throws an error if a part contains the boundary.
  public func encoded() throws -> Data {
    var body = Data()
    for part in parts {
      guard part.data.firstRange(of: Data("--\(boundary)".utf8)) == nil else {
        throw EncodingError.invalidValue(
          part.name, .init(codingPath: [], debugDescription: "The boundary \"\(boundary)\" occurs in \"\(part.name)\""))
      }
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escape(part.name))\""
      if let name = part.fileName { head += "; filename=\"\(Self.escape(name))\"" }
      if let type = part.type { head += "\r\nContent-Type: \(type.filter { !$0.isNewline })" }
      body += Data("\(head)\r\n\r\n".utf8) + part.data + Data("\r\n".utf8)
    }
    return body + Data("--\(boundary)--\r\n".utf8)
  }

  /// Escapes quotes and line breaks, which would end the name or its line (HTML Standard, §4.10.21.8).
  private static func escape(_ name: String) -> String {
    name.replacing("\r\n", with: "%0D%0A").replacing("\n", with: "%0A").replacing("\r", with: "%0D")
      .replacing("\"", with: "%22")
  }
}
