import CassetteHTTP
import CassettePlayback
import CassetteSession
import CassetteSystem
import Cassettes
import Foundation
import MockServerKit
import MockServerWire
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A response or an error as received by a client.
struct Seen: Equatable, Sendable {
  var status = 0
  var fields: [String: String] = [:]
  var body: [UInt8] = []
  var error = 0
}

@Suite struct `Playback in process and by a server` {
  @Test(arguments: exchanges)
  func `CassettePlayer and MockServer give the same response`(exchange: Exchange) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "conformance-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "test.json").path
    let cassette = Cassette(name: "test", origin: "http://api.example.com", interactions: exchange.recordings)
    try CassetteFile.write(cassette, to: file)

    let player = try CassettePlayer(paths: [file])
    // The command to record differs between the two and is not a part of the response.
    player.record(by: .server)
    player.inject(exchange.faults)
    let inside = try await ask(exchange, player.session(), "http://api.example.com")
    let misses = player.ledger.misses.map(\.text)

    let missed = Locked<[String]>([])
    var configuration = MockServer.Configuration(cassettes: [file], port: 0)
    configuration.loops = 1
    configuration.watches = false
    configuration.faults = exchange.faults
    // Only the server sets CORS fields.
    configuration.cors = .recorded
    let server = try MockServer(configuration)
    server.observe { event in
      if case .miss(let miss) = event.kind { missed.withLock { $0.append(miss.text) } }
    }
    let address = try server.start()
    let outside = try await ask(exchange, URLSession(configuration: native), address)
    server.deliverEvents()

    #expect(missed.withLock { $0 } == misses)
    for (inside, outside) in zip(inside, outside) {
      if outside.fields["mockserver-miss"] != nil {
        #expect(inside.error == URLError.resourceUnavailable.rawValue)
      } else {
        #expect(inside == outside)
        if let answer = exchange.answer { #expect(String(decoding: outside.body, as: UTF8.self) == answer) }
      }
    }
    server.stop(within: .seconds(0.1))
  }

  private var native: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    return configuration
  }

  private func ask(_ exchange: Exchange, _ session: URLSession, _ origin: String) async throws -> [Seen] {
    var request = URLRequest(url: try #require(URL(string: origin + exchange.target)))
    request.httpMethod = exchange.method
    for (name, value) in exchange.headers { request.addValue(value, forHTTPHeaderField: name) }
    request.timeoutInterval = exchange.timeout
    request.httpBody = exchange.body.map { Data($0.utf8) }
    var seen: [Seen] = []
    for _ in 0..<exchange.times { seen.append(await ask(request, session)) }
    return seen
  }

  private func ask(_ request: URLRequest, _ session: URLSession) async -> Seen {
    do {
      let (data, response) = try await session.data(for: request)
      guard let response = response as? HTTPURLResponse else { return Seen() }
      var fields: [String: String] = [:]
      for (name, value) in response.allHeaderFields {
        let name = "\(name)".lowercased()
        // Fields of the connection: the date and the connection's persistence.
        if ["date", "connection", "keep-alive"].contains(name) { continue }
        fields[name] = "\(value)"
      }
      return Seen(status: response.statusCode, fields: fields, body: Array(data))
    } catch {
      return Seen(error: (error as? URLError)?.code.rawValue ?? (error as NSError).code)
    }
  }
}
