public import Foundation

/// Content that is not JSON: it says its media type and makes its own bytes.
///
/// ``FormBody`` and ``MultipartBody`` are two; a type of yours is another, for XML or Protocol Buffers.
public protocol EncodedBody: Encodable, Sendable {
  /// The value of `Content-Type`, unless the request's own fields say another.
  var contentType: String { get }

  /// Makes the bytes that are sent.
  func encoded() throws -> Data
}

extension EncodedBody {
  /// Encodes the bytes, if it is encoded in spite of its type.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(encoded())
  }
}

/// The fields of a form, as `application/x-www-form-urlencoded`.
///
/// ```swift
/// try await client.send(.post("/login", body: FormBody([("name", "kean"), ("remember", "yes")])))
/// ```
public struct FormBody: EncodedBody, ExpressibleByDictionaryLiteral {
  /// Names and values in the order they are sent.
  public var fields: [(String, String)]

  /// Creates a form of its fields.
  public init(_ fields: [(String, String)]) { self.fields = fields }
  /// Creates a form of a literal, in its order: `["name": "kean"]`.
  public init(dictionaryLiteral elements: (String, String)...) { fields = elements }

  /// The media type of a form.
  public var contentType: String { "application/x-www-form-urlencoded" }

  /// Makes the bytes: everything but the unreserved is escaped, and a space is a plus (URL Standard, §5.2).
  public func encoded() throws -> Data {
    func escape(_ text: String) -> String {
      (text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text).replacing("%20", with: "+")
    }
    return Data(fields.map { escape($0.0) + "=" + escape($0.1) }.joined(separator: "&").utf8)
  }
}
