import CassetteHTTP
import Foundation
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Requests that the included cassettes do not contain get no unmarked answer.
@Suite struct IncludedCassettesTests {
  private static let cassettes = ["articles", "github", "github-recordings", "swapi"]

  private static func cassette(_ name: String) throws -> Cassette {
    let root = URL(filePath: #filePath).appending(path: "../../../../cassettes").standardized.path
    var cassette = try CassetteFile.read(path: "\(root)/\(name).json")
    cassette.interactions.removeAll { $0.rules != nil }
    return cassette
  }

  private static func request(
    _ interaction: Interaction, method: HTTPMethod? = nil, target: String? = nil, body: [UInt8]? = nil
  ) throws -> HTTPRequest {
    let target = target ?? interaction.pathAndQuery
    return HTTPRequest(
      method: method ?? interaction.method, target: try #require(HTTPTarget(target), "\(target)"),
      headers: interaction.requestHeaders, body: try body ?? interaction.requestBody?.bytes() ?? [])
  }

  /// Returns the recorded request with one change each: of the method, the path, the query, or a member of the body.
  private static func changed(_ interaction: Interaction) throws -> [HTTPRequest] {
    let whole = interaction.pathAndQuery
    let path = String(whole.prefix { $0 != "?" })
    let query = whole.dropFirst(path.count + 1).split(separator: "&").map(String.init)
    func target(_ path: String, _ query: [String]) -> String {
      query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }
    var requests = [
      try request(interaction, method: interaction.method == .get ? .delete : .get),
      try request(interaction, target: target(path + "x", query)),
      try request(interaction, target: target("/v9" + path, query)),
      try request(interaction, target: target(path, query + ["added=1"])),
    ]
    for index in query.indices {
      var other = query
      other[index] += "0"
      requests.append(try request(interaction, target: target(path, other)))
      other.remove(at: index)
      requests.append(try request(interaction, target: target(path, other)))
    }
    let body = try interaction.requestBody?.bytes() ?? []
    if let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] {
      for name in object.keys.sorted() {
        var other = object
        other[name] = ["changed": true]
        requests.append(try request(interaction, body: Array(JSONSerialization.data(withJSONObject: other))))
        other[name] = nil
        requests.append(try request(interaction, body: Array(JSONSerialization.data(withJSONObject: other))))
      }
    }
    return requests
  }

  @Test func `each of 2,400 changed requests is a miss or gets a marked answer`() throws {
    var tried = 0
    for name in Self.cassettes {
      let cassette = try Self.cassette(name)
      for interaction in cassette.interactions {
        let deck = Exchange.deck([interaction], origin: cassette.origin)
        for request in try Self.changed(interaction) {
          tried += 1
          guard let playback = deck.plan(request).playback else { continue }
          #expect(playback.approximation != nil, "\(name): \(request.method) \(request.target) by \(interaction.id)")
        }
      }
    }
    #expect(tried >= 2_400)
  }

  @Test func `each of 300 requests whose recording is removed is a miss, or marked, or recorded twice`() throws {
    var tried = 0
    for name in Self.cassettes {
      let cassette = try Self.cassette(name)
      for index in cassette.interactions.indices where index % 2 == 0 {
        var others = cassette.interactions
        let removed = others.remove(at: index)
        tried += 1
        guard let playback = Exchange.deck(others, origin: cassette.origin).plan(try Self.request(removed)).playback
        else { continue }
        let other = playback.recording.interaction
        // A request that a person wrote without a body matches any body.
        let isSame =
          try other.method == removed.method && other.pathAndQuery == removed.pathAndQuery
          && (other.requestBody == nil || other.requestBody?.bytes() == removed.requestBody?.bytes())
        #expect(playback.approximation != nil || isSame, "\(name): \(removed.id) is answered by \(other.id)")
      }
    }
    #expect(tried >= 300)
  }
}
