import CassetteHTTP
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The same response for both contenders: 1 KB of JSON with the header fields of a typical API.
enum Exchange {
  static let url = URL(string: "https://api.example.com/users/42?page=2&per_page=30") ?? URL(filePath: "/")
  static let body = Array("{\"text\": \"\(String(repeating: "0123456789", count: 100))\"}".utf8)
  static let data = Data(body)
  static let fields: KeyValuePairs = [
    "Content-Type": "application/json; charset=utf-8", "Cache-Control": "private, max-age=60",
    "ETag": "\"a00049ba79152d03380c34652f2cb612\"", "X-RateLimit-Remaining": "4987", "Vary": "Accept",
  ]
  static let response = HTTPURLResponse(
    url: url, statusCode: 200, httpVersion: "HTTP/1.1",
    headerFields: Dictionary(uniqueKeysWithValues: fields.map { ($0.key, $0.value) }))

  static var request: URLRequest {
    var request = URLRequest(url: url)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    return request
  }

  /// A cassette with a hundred recordings, one of which is requested.
  static var cassette: Cassette {
    let headers = HTTPHeaders(fields.map { ($0.key, $0.value) })
    let interactions = (0..<100).map { number in
      Interaction(
        method: .get, url: "/users/\(number)?page=2&per_page=30",
        outcome: .response(RecordedResponse(status: 200, headers: headers, body: .storing(body))))
    }
    return Cassette(name: "users", origin: "https://api.example.com", interactions: interactions)
  }
}
