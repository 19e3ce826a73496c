import CassetteHTTP
import Cassettes
import Testing

/// A request and the cassette from which both players answer it.
struct Exchange: Sendable, CustomTestStringConvertible {
  let name: String
  var method = "GET"
  var target = "/a"
  var headers: [(String, String)] = []
  var body: String?
  var recordings: [Interaction] = []
  /// How often the request is sent.
  ///
  /// Every response is compared.
  var times = 1
  /// The client's time-out in seconds.
  var timeout = 120.0
  /// The expected body, or nil if the two bodies are only compared with each other.
  var answer: String?
  /// The faults applied to the recordings.
  var faults: [CassetteFault] = []

  var testDescription: String { name }
}

extension Interaction {
  static func made(
    _ method: HTTPMethod = .get, _ url: String = "/a", status: HTTPStatus = 200, headers: [(String, String)] = [],
    body: Body? = nil, asking: [(String, String)] = [], sending: String? = nil, repeats: RepeatPolicy = .last,
    took: RecordedFacts? = nil
  ) -> Interaction {
    Interaction(
      method: method, url: url, requestHeaders: HTTPHeaders(asking),
      requestBody: sending.map { .storing(Array($0.utf8)) },
      outcome: .response(RecordedResponse(status: status, headers: HTTPHeaders(headers), body: body)),
      recorded: took, repeatPolicy: repeats)
  }

  static func failing(_ code: Int) -> Interaction {
    Interaction(method: .get, url: "/a", outcome: .failure(RecordedFailure(code: code)))
  }
}

extension Body {
  static func text(_ text: String) -> Body { .storing(Array(text.utf8)) }
}
