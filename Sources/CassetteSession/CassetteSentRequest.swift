public import CassetteHTTP
import CassettePlayback
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
public import Foundation

/// A request as a session sent it, for a test to look at.
public struct CassetteSentRequest: Sendable {
  /// Header fields in the order they were sent; names are case-insensitive.
  public typealias Headers = HTTPHeaders

  /// The whole URL.
  public let url: URL
  package let request: HTTPRequest

  package init(_ request: HTTPRequest, url: URL) {
    self.request = request
    self.url = url
  }

  /// The method's name: `POST`.
  public var method: String { request.method.rawValue }

  /// The header fields, those of the session included, found by name whatever its case.
  public var headers: Headers { request.headers }

  /// The content, whether it was data, a file or a stream.
  public var body: Data { Data(request.body) }

  /// The content as UTF-8 text.
  public var text: String { String(decoding: request.body, as: UTF8.self) }

  /// The content as JSON; nil when it is none.
  public var json: CassetteStub.JSON? { CassetteStub.JSON(request.body) }

  /// Decodes the content as JSON.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - decoder: Decodes it.
  /// - Returns: The value.
  /// - Throws: What the decoder throws.
  public func decode<Value: Decodable>(
    _ type: Value.Type = Value.self, by decoder: JSONDecoder = JSONDecoder()
  ) throws -> Value {
    try decoder.decode(type, from: body)
  }

  /// Tells whether it is a request that a stub for these would answer.
  public func matches(_ wanted: CassetteStub.Request) -> Bool { wanted.accepts(request) }
}

extension CassetteSentRequest: CustomStringConvertible {
  /// The method and URL, secrets masked.
  public var description: String { "\(request.method) \(SecretNames.masked(url: url.absoluteString))" }

  /// The method and the target without its origin, secrets masked.
  var line: String { "\(request.method) \(SecretNames.masked(url: request.pathAndQuery))" }

  /// The number of bytes of a body that are shown.
  private static let shownBody = 4_096

  /// The request with its fields and body, for people: secrets are masked, control characters escaped.
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
      return ["\(request.body.count) bytes that are no text"]
    }
    let masked = SecretNames.masked(body: text, contentType: request.headers["Content-Type"])
    var lines = masked.prefix(Self.shownBody).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    if masked.utf8.count > Self.shownBody { lines.append("… \(request.body.count) bytes in all") }
    return lines
  }
}
