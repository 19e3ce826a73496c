import Foundation

// What swift-openapi-generator's output needs of its runtime, as far as the sample here goes: the same names and signatures
// as in swift-openapi-runtime and swift-http-types, which this package does not depend on.

struct HTTPField: Sendable {
  struct Name: Hashable, Sendable {
    let rawName: String
    init?(_ name: String) { rawName = name }
    var canonicalName: String { rawName.lowercased() }
  }

  var name: Name
  var value: String
}

struct HTTPFields: Sendable, Collection {
  private var fields: [HTTPField] = []
  var startIndex: Int { fields.startIndex }
  var endIndex: Int { fields.endIndex }
  func index(after index: Int) -> Int { index + 1 }
  subscript(index: Int) -> HTTPField { fields[index] }
  subscript(name: HTTPField.Name) -> String? { fields.first { $0.name.canonicalName == name.canonicalName }?.value }
  mutating func append(_ field: HTTPField) { fields.append(field) }
}

struct HTTPRequest: Sendable {
  struct Method: Hashable, Sendable {
    let rawValue: String
    static let get = Method(rawValue: "GET")
    static let post = Method(rawValue: "POST")
  }

  var method: Method
  var path: String?
  var headerFields = HTTPFields()
}

struct HTTPResponse: Sendable {
  struct Status: Hashable, Sendable {
    let code: Int
  }

  var status: Status
  var headerFields = HTTPFields()
}

final class HTTPBody: Sendable, AsyncSequence {
  typealias Element = ArraySlice<UInt8>
  private let bytes: Data
  init(_ bytes: Data) { self.bytes = bytes }

  func makeAsyncIterator() -> AsyncStream<Element>.Iterator {
    let bytes = bytes
    return AsyncStream { stream in
      stream.yield(ArraySlice(bytes))
      stream.finish()
    }.makeAsyncIterator()
  }
}

extension Data {
  struct TooManyBytes: Error {}

  init(collecting body: HTTPBody, upTo most: Int) async throws {
    self.init()
    for await chunk in body {
      append(contentsOf: chunk)
      if count > most { throw TooManyBytes() }
    }
  }
}

protocol ClientTransport: Sendable {
  func send(
    _ request: HTTPRequest, body: HTTPBody?, baseURL: URL, operationID: String
  ) async throws -> (HTTPResponse, HTTPBody?)
}
