package import CassetteHTTP
package import CassettePlayback
package import Cassettes
import Testing

/// Short notations for requests, recordings and decks in tests.
package enum Exchange {
  /// Returns the request of a line such as `GET /users?page=2`.
  package static func request(_ line: String, _ headers: HTTPHeaders = [:], body: String = "") throws -> HTTPRequest {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let target = try #require(HTTPTarget(words[1]), "\(line) has no target")
    return HTTPRequest(method: HTTPMethod(rawValue: words[0]), target: target, headers: headers, body: Array(body.utf8))
  }

  /// Returns a recording of a line such as `GET /users?page=2`.
  ///
  /// The default id is the line, and the body is the id.
  package static func recorded(
    _ line: String, id: String? = nil, asked headers: HTTPHeaders = [:], sent body: String? = nil,
    status: HTTPStatus = 200,
    answer: HTTPHeaders = [:], content: String? = nil, repeats: RepeatPolicy = .last
  ) -> Interaction {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let response = RecordedResponse(
      status: status, headers: answer, body: Body.storing(Array((content ?? id ?? line).utf8)))
    return Interaction(
      id: id ?? line, method: HTTPMethod(rawValue: words[0]), url: words[1], requestHeaders: headers,
      requestBody: body.map { Body.storing(Array($0.utf8)) }, outcome: .response(response), repeatPolicy: repeats)
  }

  /// Returns a recording as read from a file in `fixtures/`.
  package static func fixture(_ line: String, id: String) -> Interaction { recorded(line, id: id) }

  package static func deck(
    _ recordings: [Interaction], origin: String? = nil, fixtures: [Interaction] = [],
    matching: CassetteMatchingOptions...,
    knowsOrigins: Bool = false, speed: Double = 1, recording: RecordCommand = .unknown
  ) -> Deck {
    Deck(
      CassetteLibrary(
        cassettes: [Cassette(name: "test", origin: origin, interactions: recordings)], fixtures: fixtures),
      matching: CassetteMatchingOptions(matching), knowsOrigins: knowsOrigins, speed: speed,
      recording: recording)
  }
}

extension Deck {
  /// Returns the id of the recording that answers, `derived` or `miss`.
  package func id(for request: HTTPRequest, session: String = "") -> String {
    switch plan(request, session: session) {
    case .constant(let playback), .response(let playback): playback.recording.interaction.id
    case .made(_, .fault(let words, _), _): words
    case .made: "derived"
    case .miss: "miss"
    }
  }

  /// Returns the ids of the recordings that answer a number of equal requests.
  package func ids(for request: HTTPRequest, times: Int, session: String = "") -> [String] {
    (0..<times).map { _ in id(for: request, session: session) }
  }

  /// Returns the difference between a request and the recording that answers it, or nil if they are equal.
  package func approximation(_ request: HTTPRequest) throws -> String? {
    guard let playback = plan(request).playback else { throw Unanswered() }
    return playback.approximation?.parts
  }

  package func miss(_ request: HTTPRequest) throws -> Miss {
    guard case .miss(let miss) = plan(request) else { throw Answered() }
    return miss
  }

  package struct Answered: Error { package init() {} }

  /// Returns the response as a player sends it.
  package func response(_ request: HTTPRequest, base: String? = nil) throws -> PlayedResponse {
    switch plan(request) {
    case .constant(let playback), .response(let playback):
      let response = try playback.response(base: base, origins: table.origins)
      guard response.failure == nil else { throw Unanswered() }
      return response
    case .made(let response, .methods, _): return response
    case .made, .miss: throw Unanswered()
    }
  }

  package struct Unanswered: Error { package init() {} }
}

extension PlayedResponse {
  package var text: String? {
    guard case .bytes(let bytes) = body else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
