import Foundation

// The declarations of swift-openapi-runtime and swift-http-types that the transport uses, so that this package does not
// depend on them.

struct HTTPField: Sendable {
  struct Name: Hashable, Sendable {
    let rawName: String
    init?(_ name: String) { rawName = name }
  }

  var name: Name
  var value: String
}

struct HTTPFields: Sendable, Sequence {
  private var fields: [HTTPField] = []
  func makeIterator() -> IndexingIterator<[HTTPField]> { fields.makeIterator() }
  mutating func append(_ field: HTTPField) { fields.append(field) }
}

struct HTTPRequest: Sendable {
  struct Method: Hashable, Sendable { let rawValue: String }
  var method: Method
  var path: String?
  var headerFields = HTTPFields()
}

struct HTTPResponse: Sendable {
  struct Status: Hashable, Sendable { let code: Int }
  var status: Status
  var headerFields = HTTPFields()
}

final class HTTPBody: Sendable, AsyncSequence {
  typealias Element = ArraySlice<UInt8>
  private let pieces: AsyncThrowingStream<Element, any Error>

  init<Pieces: AsyncSequence & Sendable>(_ sequence: Pieces) where Pieces.Element == Data {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Element.self)
    Task {
      do {
        for try await piece in sequence { continuation.yield(ArraySlice(piece)) }
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    pieces = stream
  }

  func makeAsyncIterator() -> AsyncThrowingStream<Element, any Error>.Iterator { pieces.makeAsyncIterator() }
}

protocol ClientTransport: Sendable {
  func send(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPResponse, HTTPBody?)
}
