// Requests each URL with URLSession, and exits with 1 if an answer is not a 200.
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

let configuration = URLSessionConfiguration.ephemeral
configuration.connectionProxyDictionary = [:]
let session = URLSession(configuration: configuration)
for argument in CommandLine.arguments.dropFirst() {
  guard let url = URL(string: argument),
    let status = (try await session.data(from: url).1 as? HTTPURLResponse)?.statusCode, status == 200
  else { exit(1) }
}
