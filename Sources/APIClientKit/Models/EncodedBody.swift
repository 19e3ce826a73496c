public import Foundation

/// A body that is not JSON, with its own media type and encoding.
///
/// ``FormBody`` and ``MultipartBody`` conform to this protocol. Other types may conform to it, for example for XML or
/// Protocol Buffers.
public protocol EncodedBody: Encodable, Sendable {
  /// The value of `Content-Type`, unless the request sets this field.
  var contentType: String { get }

  /// Returns the encoded bytes.
  func encoded() throws -> Data
}

extension EncodedBody {
  /// Encodes the bytes if an encoder is used directly.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(encoded())
  }
}

/// A form encoded as `application/x-www-form-urlencoded`.
///
/// ```swift
/// try await client.send(.post("/login", body: FormBody([("name", "kean"), ("remember", "yes")])))
/// ```
public struct FormBody: EncodedBody, ExpressibleByDictionaryLiteral {
  /// The names and values in the order in which they are sent.
  public var fields: [(String, String)]

  /// Creates a form from fields.
  public init(_ fields: [(String, String)]) { self.fields = fields }
  /// Creates a form from a literal such as `["name": "kean"]`, preserving its order.
  public init(dictionaryLiteral elements: (String, String)...) { fields = elements }

  /// The media type of a form.
  public var contentType: String { "application/x-www-form-urlencoded" }

  /// Returns the encoded form, with all except unreserved characters escaped, and `+` for spaces (URL Standard, §5.2).
  public func encoded() throws -> Data {
    func escape(_ text: String) -> String {
      (text.addingPercentEncoding(withAllowedCharacters: .unreserved) ?? text).replacing("%20", with: "+")
    }
    return Data(fields.map { escape($0.0) + "=" + escape($0.1) }.joined(separator: "&").utf8)
  }
}
