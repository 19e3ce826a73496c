import CassetteHTTP
import CassetteRecording
import CassetteSecrets
import Cassettes
import Foundation
import MockServerUpstream

// Measures the search for secrets in an exchange with 1 KB of JSON, and their redaction, as a recorder performs them:
//
//     swift run -c release SecretBenchmarks [ROUNDS [EXCHANGES [INDEX]]]
//
// All exchanges are different, so that no cached scan results are used. These are measurements and not tests: no figure
// causes a failure.
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let (rounds, count) = (arguments.first ?? 5, arguments.dropFirst().first ?? 5_000)
/// The only line to measure, by its index; all by default.
let only = arguments.dropFirst(2).first

/// The processor time of all threads, in microseconds.
var microseconds: Double {
  var time = timespec()
  guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// A kind of exchange: the content of its body and of its request fields.
struct Kind {
  let name: String
  let text: (Int) -> String
  var fields: (Int) -> [(String, String)] = { _ in [] }

  /// Returns an exchange with a body of 1 KB, as in a response of an API.
  func exchange(_ number: Int) -> Interaction {
    let start =
      "{\"id\":\(number),\"name\":\"Person \(number)\",\"public_repos\":\(number % 97),\(text(number)),\"bio\":\""
    let filling = String(repeating: "Writes about number \(number % 1_000) of it. ", count: 50)
    let body = start + filling.prefix(1_022 - start.utf8.count) + "\"}"
    let asked = [("Accept", "application/json"), ("User-Agent", "client/1.0")] + fields(number)
    let answered = [
      ("Content-Type", "application/json; charset=utf-8"), ("Cache-Control", "private, max-age=60"),
      ("ETag", "W/\"a00049ba79152d03380c\(number)\""), ("X-RateLimit-Remaining", "\(number)"), ("Vary", "Accept"),
    ]
    return Interaction(
      method: .get, url: "/users/\(number)?page=2", requestHeaders: HTTPHeaders(asked),
      outcome: .response(
        RecordedResponse(status: 200, headers: HTTPHeaders(answered), body: .storing(Array(body.utf8)))))
  }
}

let plain = { (number: Int) in
  "\"url\":\"https://api.example.com/users/\(number)\",\"location\":\"Cambridge\",\"site_admin\":false"
}
let kinds = [
  Kind(name: "plain", text: plain),
  Kind(
    name: "with escapes",
    text: {
      "\"url\":\"https:\\/\\/api.example.com\\/users\\/\($0)\",\"location\":\"K\\u00f6ln\",\"said\":\"\\\"yes\\\"\\n\""
    }),
  Kind(
    name: "with a token", text: plain,
    fields: { _ in [("Authorization", "Bearer ghp_ABCdef0123456789ABCdef0123456789ABCd")] }),
  Kind(name: "with a unique token", text: { "\"access_token\":\"t0k\($0)enValueOfThis\"" }),
]
for (index, kind) in kinds.enumerated() where only.map({ $0 == index }) ?? true {
  let exchanges = (0..<count).map(kind.exchange)
  var (secrets, journal): ([Double], [Double]) = ([], [])
  for _ in 0..<rounds {
    var pass = RedactionPass(CassetteRedaction())
    var start = microseconds
    for exchange in exchanges {
      try pass.collect(exchange)
      if pass.holdsAny { _ = try pass.redacting(exchange) }
    }
    secrets.append((microseconds - start) / Double(count))
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).json").path
    var kept = try RecordingJournal(beside: path, redaction: CassetteRedaction())
    start = microseconds
    for (number, exchange) in exchanges.enumerated() {
      try kept.append(exchange, number: number)
      _ = kept.takePending()
    }
    journal.append((microseconds - start) / Double(count))
    kept.remove()
  }
  func figure(_ values: [Double]) -> String { "\((values.sorted()[values.count / 2] * 10).rounded() / 10)" }
  print("\(kind.name): secrets \(figure(secrets)) µs, with the journal's text \(figure(journal)) µs an exchange")
}

// Hostile input by length: milliseconds per 100 KB, which must be independent of the length and at most ten.
let hostile = [
  "{\"credentials\":[", "{\"a\":{\"b\":[", "{\"name_#\":\"value\",", "API_TOKEN_#: value\n", "name_#: value_#\n",
  "token=a&",
  "?token=a;", "\"password\":\"", "{\"name\":\"password\",\"value\":[", "<input name=password ", "<token#>", "user:a@",
  "ghp_a1B2c3D4", "-----BEGIN PRIVATE KEY-----", "eyJhbGciOiJI.eyJ", "cGFzc3dvcmQ9YWJj", "\\\"token\\\":\\\"",
  "%74oken%3D", "data: {\"delta\":\"tok\"}\n\n", "xoxb-",
]
for (index, piece) in hostile.enumerated() where only.map({ $0 == kinds.count + index }) ?? true {
  let figures = [10_000, 100_000, 1_000_000].map { size in
    var text: [UInt8] = []
    var number = 0
    while text.count < size {
      text += piece.replacingOccurrences(of: "#", with: "\(number)").utf8
      number += 1
    }
    var best = Double.infinity
    for _ in 0..<3 {
      var pass = RedactionPass(CassetteRedaction())
      let start = microseconds
      pass.collect(text, .body)
      pass.beginReplacing()
      _ = pass.replacing(in: text, .body)
      best = min(best, microseconds - start)
    }
    return String(format: "%8.2f", best / Double(text.count) * 100)
  }
  print("\(figures.joined(separator: " ")) ms per 100 KB at 10, 100 and 1,000 KB of \(piece.debugDescription)")
}
