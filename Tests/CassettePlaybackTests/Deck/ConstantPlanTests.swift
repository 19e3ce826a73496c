import CassetteHTTP
import CassetteSystem
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassettePatterns
@testable import CassettePlayback
@testable import Cassettes

/// The lookup of a sole recording agrees with full matching, and constant answers are kept.
@Suite struct ConstantPlanTests {
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
  func `the sole recording of a request is the one that full matching selects without marks`(
    knowsOrigins: Bool, level: MatchLevel
  ) throws {
    var random = Seeded(7)
    var constants = 0
    for _ in 0..<40 {
      let some = Self.recordings.filter { _ in Bool.random(using: &random) }
      let deck = Exchange.deck(
        some, origin: "https://a.test", matching: CassetteMatchingOptions(level: level), knowsOrigins: knowsOrigins)
      for line in Self.lines {
        for host in ["", "https://a.test", "https://b.test", "HTTPS://A.test:443"] {
          for fields in Self.fields {
            let method = ["GET", "POST", "HEAD"].randomElement(using: &random) ?? "GET"
            let request = try Exchange.request("\(method) \(host)\(line)", fields, body: method == "POST" ? "{}" : "")
            guard let entry = deck.sole(request, deck.table) else { continue }
            constants += 1
            let context = Matcher.Context(table: deck.table, knowsOrigins: knowsOrigins)
            var cursor = PlaybackCursor()
            let long = Candidates(RequestReading(request), in: context).choose(&cursor, 1)
            guard case .play(let candidate, nil) = long else {
              Issue.record(
                "\(request.method) \(request.target.text) \(fields) is not answered by a recording without a mark")
              continue
            }
            #expect(candidate.entry == entry && candidate.marks.isEmpty, "\(request.target.text) \(fields)")
            #expect(Derivation.of(request, from: deck.table.entries[entry].interaction) == nil)
          }
        }
      }
    }
    #expect(level == .exact ? constants == 0 : constants > 100, "\(constants)")
  }

  /// The bytes of a constant answer, which a view keeps.
  private final class Form: Sendable {}

  /// Returns true if a view has the form of `GET /a`.
  private func isKept(_ view: DeckView) -> Bool {
    let (method, target) = (Array("GET".utf8), Array("/a".utf8))
    return view.constant(
      method: method.span, target: target.span, hasBody: false, address: [UInt8]().span, hasCredentials: { false })
      != nil
  }

  @Test func `a fault, a stub or a changed setting discards kept constant answers`() throws {
    let request = try Exchange.request("GET /a")
    let changes: [(Deck) throws -> Void] = [
      { $0.inject([.status(503, first: 1)]) }, { $0.changeSettings { $0.bytesPerSecond = 100 } },
      { try $0.add([AddedStub(id: "b", Exchange.recorded("GET /b"), cassette: "stubs")]) },
    ]
    for change in changes {
      let deck = Exchange.deck([Exchange.recorded("GET /a")])
      var view = DeckView(deck, limit: 1 << 20)
      guard case .constant(let playback) = deck.plan(request) else { throw Deck.Unanswered() }
      view.keep(Form(), bytes: 1, of: playback, address: [UInt8]().span)
      #expect(isKept(view) && !view.isOutdated)
      try change(deck)
      #expect(view.isOutdated)
      view.update()
      #expect(!isKept(view) && view.size == 0)
    }
  }

  @Test func `kept answers stay within the limit of the view, and each belongs to one address`() throws {
    let deck = Exchange.deck([Exchange.recorded("GET /a"), Exchange.recorded("GET /b")])
    var view = DeckView(deck, limit: 100)
    guard case .constant(let a) = deck.plan(try Exchange.request("GET /a")),
      case .constant(let b) = deck.plan(try Exchange.request("GET /b"))
    else { throw Deck.Unanswered() }
    let (one, other) = (Array("one".utf8), Array("other".utf8))
    let form = Form()
    view.keep(form, bytes: 26, of: a, address: one.span)
    #expect(view.form(of: a, address: one.span) == nil, "a form larger than a quarter of the limit is not kept")
    view.keep(form, bytes: 20, of: a, address: one.span)
    #expect(view.form(of: a, address: one.span) === form && view.form(of: a, address: other.span) == nil)
    #expect(view.form(of: b, address: one.span) == nil)
    for _ in 0..<10 { view.keep(Form(), bytes: 20, of: b, address: other.span) }
    #expect(view.size <= 100 && view.form(of: a, address: one.span) == nil)
  }

  @Test func `an answer in chunks or with a delay is not constant`() throws {
    var pieces = Exchange.recorded("GET /a")
    pieces.outcome = .response(RecordedResponse(status: 200, body: .chunks([BodyChunk(bytes: [1])])))
    let late = try Interaction.ruled("GET /a", id: "late", replay: #""delay": 1"#)
    let template = try Interaction.ruled("GET /a", id: "stub", match: #""path": "/a""#)
    for (interaction, isConstant) in [(pieces, false), (late, false), (template, true)] {
      let plan = Exchange.deck([interaction]).plan(try Exchange.request("GET /a"))
      if case .constant = plan { #expect(isConstant) } else { #expect(!isConstant) }
    }
  }
}
