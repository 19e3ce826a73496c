public import CassetteHTTP
import CassettePlayback
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
public import Foundation

/// A request that a session sent, for inspection by tests.
public struct CassetteSentRequest: Sendable {
  /// Header fields in the order in which they were sent; names are case-insensitive.
  public typealias Headers = HTTPHeaders

  /// The absolute URL.
  public let url: URL
  package let request: HTTPRequest

  package init(_ request: HTTPRequest, url: URL) {
    self.request = request
    self.url = url
  }

  /// The method's name: `POST`.
  public var method: String { request.method.rawValue }

  /// The header fields, including those of the session; names are case-insensitive.
  public var headers: Headers { request.headers }

  /// The body, regardless of whether it was sent as data, file or stream.
  public var body: Data { Data(request.body) }

  /// The body as UTF-8 text.
  public var text: String { String(decoding: request.body, as: UTF8.self) }

  /// The body as JSON; nil if it is not JSON.
  public var json: CassetteStub.JSON? { CassetteStub.JSON(request.body) }

  /// Decodes the body as JSON.
  ///
  /// - Parameters:
  ///   - type: The type to decode. By default, the inferred type.
  ///   - decoder: The decoder. By default, a decoder with the default settings.
  /// - Returns: The decoded value.
  /// - Throws: The error of the decoder.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: body)
  }

  /// Returns true if a stub for these requests would answer the request.
  public func matches(_ wanted: CassetteStub.Request) -> Bool { wanted.accepts(request) }
}

extension CassetteSentRequest: CustomStringConvertible {
  /// The method and URL, with secrets masked.
  public var description: String { "\(request.method) \(SecretNames.masked(url: url.absoluteString))" }

  /// The method and the target without its origin, with secrets masked.
  var line: String { "\(request.method) \(SecretNames.masked(url: request.pathAndQuery))" }

  /// The maximum number of bytes of a body to display.
  private static let shownBody = 4_096

  /// The request with header fields and body for display, with secrets masked and control characters escaped.
  package var shown: String {
    var lines = [description]
    for field in request.headers {
      lines.append("  \(field.name): \(SecretNames.masked(field: field.name, value: field.value))")
    }
    if !request.body.isEmpty {
      lines.append("")
      lines += shownContent.map { "  \($0)" }
    }
    return lines.map(Printable.escaped).joined(separator: "\n")
  }

  private var shownContent: [Substring] {
    guard let text = String(validUTF8: request.body), !request.body.contains(0) else {
      return ["\(request.body.count) bytes that are not text"]
    }
    let masked = SecretNames.masked(body: text, contentType: request.headers["Content-Type"])
    var lines = masked.prefix(Self.shownBody).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if masked.utf8.count > Self.shownBody { lines.append("… \(request.body.count) bytes in all") }
    return lines
  }
}
