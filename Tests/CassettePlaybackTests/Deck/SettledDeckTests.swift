import CassetteHTTP
import TestSupport
import Testing

@testable import CassetteFiles
@testable import CassetteMatching
@testable import CassettePatterns
@testable import CassettePlayback
@testable import Cassettes

/// The short way to an answer comes to the same as the long one.
@Suite struct SettledDeckTests {
  private static let recordings = [
    Exchange.recorded("GET /a"), Exchange.recorded("GET /a", id: "again"), Exchange.recorded("GET /a?x=1&y=2"),
    Exchange.recorded("GET /once", repeats: .once), Exchange.recorded("POST /a", sent: "{}"),
    Exchange.recorded("GET /me", asked: ["Authorization": "Bearer 1"]),
    Exchange.recorded("GET /b", asked: ["Accept-Language": "de"]), Exchange.recorded("HEAD /h"),
    Exchange.recorded("GET https://b.test/a", id: "elsewhere"), Exchange.recorded("GET https://a.test/c", id: "named"),
    Exchange.recorded("GET /e", answer: ["ETag": "\"1\""]), Exchange.recorded("GET /e", id: "304", status: 304),
    Interaction(method: .get, url: "/fails", outcome: .failure(RecordedFailure(code: -1001))),
    Exchange.recorded("GET /api/users/1"), Exchange.recorded("GET /api/users/1/keys?page=1"),
    Exchange.recorded("GET /api/caf%C3%A9/a?page=1&all=0"),
    ruled("url", "/api/users/\\d+/keys(\\?page=[1-9])?"), ruled("other url", "/api/caf%C3%A9/.*page=1.*"),
    ruled("anywhere", ".*[?&]page=2"), ruled("folder", "/api/(users|groups)/[a-z]+"),
    ruled("look", "(?!/api/users)/[a-z]{2,}/.*"), ruled("first", "/api/.*(1|b)", priority: 1),
    ruled("last", "/.*", priority: -1),
  ]

  private static func ruled(_ id: String, _ pattern: String, priority: Int = 0) -> Interaction {
    var interaction = Exchange.recorded("GET /recorded", id: id)
    interaction.match.url = (try? TextPattern(pattern)).map { .all([.matches($0)]) }
    interaction.match.priority = priority
    return interaction
  }

  private static let lines = [
    "/a", "/a?y=2&x=1", "/once", "/me", "/b", "/h", "/c", "/e", "/fails", "/none", "/%61",
    "/api/users/1", "/api/users/%31", "/api/users/1/keys?page=1", "/api/users/1/keys?page=%31", "/api/users/a",
    "/api/caf%C3%A9/a?page=1&all=0", "/api/caf%c3%a9/a?page=1&all=0", "/api/caf%C3%A9/a?all=0&page=1", "/a?page=2",
  ]
  private static let fields: [HTTPHeaders] = [
    [:], ["Authorization": "Bearer 2"], ["Accept-Language": "en"], ["If-None-Match": "\"1\""], ["Range": "bytes=0-1"],
    ["Origin": "https://page.test"], ["access-control-request-method": "GET"], ["X": "1"],
  ]

  @Test(arguments: [true, false], [MatchLevel.exact, .careful, .loose])
  func `whatever is recorded and asked`(knowsOrigins: Bool, level: MatchLevel) throws {
    var random = Seeded(7)
    var (settled, unmadeSettled) = (0, 0)
    for _ in 0..<40 {
      let some = Self.recordings.filter { _ in Bool.random(using: &random) }
      let deck = Exchange.deck(
        some, origin: "https://a.test", matching: CassetteMatchingOptions(level: level), knowsOrigins: knowsOrigins)
      for line in Self.lines {
        for host in ["", "https://a.test", "https://b.test", "HTTPS://A.test:443"] {
          for fields in Self.fields {
            let method = ["GET", "POST", "HEAD"].randomElement(using: &random) ?? "GET"
            let request = try Exchange.request("\(method) \(host)\(line)", fields, body: method == "POST" ? "{}" : "")
            let unmade = deck.settled(
              method: request.method.rawValue, url: request.target.text, fields: request.headers.map(\.name))
            guard let short = deck.settled(request) else {
              #expect(unmade == nil, "\(request.target.text) \(fields)")
              continue
            }
            settled += 1
            unmadeSettled += unmade == nil ? 0 : 1
            #expect(unmade == nil || unmade?.entry == short.entry, "\(request.target.text) \(fields)")
            let context = Matcher.Context(table: deck.table, knowsOrigins: knowsOrigins)
            var cursor = PlaybackCursor()
            let long = DeckPlan(ComparedRequest(request), in: context).choose(&cursor, 1)
            guard case .play(let candidate, nil) = long else {
              Issue.record("\(request.method) \(request.target.text) \(fields) is answered in another way")
              continue
            }
            #expect(candidate.entry == short.entry && candidate.marks.isEmpty, "\(request.target.text) \(fields)")
            #expect(Derivation.of(request, from: short.recording.interaction) == nil)
          }
        }
      }
    }
    #expect(level == .exact ? settled == 0 : settled > 100, "\(settled)")
    #expect(level == .exact ? unmadeSettled == 0 : unmadeSettled > 100, "\(unmadeSettled)")
  }

  @Test func `a fault, a stub or a setting that concerns all ends it`() throws {
    let request = try Exchange.request("GET /a")
    let deck = Exchange.deck([Exchange.recorded("GET /a")])
    #expect(deck.settled(request) != nil)
    deck.inject([.status(503, first: 1)])
    #expect(deck.settled(request) == nil)
    let other = Exchange.deck([Exchange.recorded("GET /a")])
    other.changeSettings { $0.bytesPerSecond = 100 }
    #expect(other.settled(request) == nil)
  }
}
