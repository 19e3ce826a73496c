public import Foundation

/// Fields and files in one body, as `multipart/form-data` (RFC 7578).
///
/// ```swift
/// let body = MultipartBody([.field("title", "Holiday"), .file("photo", data: jpeg, name: "a.jpg", type: "image/jpeg")])
/// try await client.send(.post("/photos", body: body))
/// ```
/// It is made in memory: give what is larger than that to `upload(for:fromFile:)`.
public struct MultipartBody: EncodedBody {
  /// A field or file of the body.
  public struct Part: Hashable, Sendable {
    /// The name of the field.
    public var name: String
    /// The content.
    public var data: Data
    /// The name of the file; nil for a field that is none.
    public var fileName: String?
    /// The media type; nil for plain text.
    public var type: String?

    /// Creates a field of text.
    public static func field(_ name: String, _ text: String) -> Part { Part(name: name, data: Data(text.utf8)) }

    /// Creates a file of bytes.
    public static func file(
      _ field: String, data: Data, name: String, type: String = "application/octet-stream"
    ) -> Part { Part(name: field, data: data, fileName: name, type: type) }

    /// Creates a file of one on the disk, under its own name.
    public static func file(_ field: String, at url: URL, type: String = "application/octet-stream") throws -> Part {
      Part(name: field, data: try Data(contentsOf: url), fileName: url.lastPathComponent, type: type)
    }
  }

  /// The parts in the order they are sent.
  public var parts: [Part]
  /// The line between parts, which occurs in none of them.
  public let boundary: String

  /// Creates a body of its parts.
  ///
  /// - Parameters:
  ///   - parts: The parts in the order they are sent.
  ///   - boundary: The line between parts; nil for a random one.
  public init(_ parts: [Part], boundary: String? = nil) {
    self.parts = parts
    self.boundary = boundary ?? "boundary-\(UUID().uuidString)"
  }

  /// The media type, with the boundary.
  public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  /// Makes the bytes; throws when the boundary occurs in a part.
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

  /// A name cannot end its quotes or its line (HTML Standard, §4.10.21.8).
  private static func escape(_ name: String) -> String {
    name.replacing("\r\n", with: "%0D%0A").replacing("\n", with: "%0A").replacing("\r", with: "%0D")
      .replacing("\"", with: "%22")
  }
}
