import CassetteHTTP
import TestSupport
import Testing

@testable import CassettePlayback
@testable import Cassettes

/// Latencies, bandwidths, and faults with terms.
@Suite struct PlaybackSettingsTests {
  /// An error for an answer without the expected body.
  private struct Missing: Error {}

  private func deck(
    _ replay: String = "", took: String = "", body: String = "0123456789",
    _ settings: PlaybackSettings = PlaybackSettings()
  ) throws -> Deck {
    let rules = replay.isEmpty ? [] : ["\"replay\": {\(replay)}"]
    let facts = took.isEmpty ? [] : ["\"recorded\": {\(took)}"]
    let text = cassette(
      response:
        #"{"status": 200, "headers": [["Date", "Sun, 06 Nov 1994 08:49:37 GMT"]], "body": {"text": "\#(body)"}}"#,
      more: (rules + facts).joined(separator: ","))
    let deck = Deck(CassetteLibrary(cassettes: [try read(text)]))
    deck.settings = settings
    return deck
  }

  private func play(_ deck: Deck, session: String = "") throws -> (
    played: PlayedResponse?, failure: RecordedFailure?, delay: Double
  ) {
    let request = try Exchange.request("GET /a")
    switch deck.plan(request, session: session) {
    case .constant(let playback), .response(let playback):
      let played = try playback.faulted(playback.response())
      return (played.failure == nil ? played : nil, nil, played.delay)
    case .made(let played, .fault, _): return (nil, played.failure, played.delay)
    default: return (nil, nil, -1)
    }
  }

  /// Returns true if the deck keeps its answer to `GET /a`.
  private func isConstant(_ deck: Deck) throws -> Bool {
    if case .constant = deck.plan(try Exchange.request("GET /a"), session: "another") { true } else { false }
  }

  @Test(arguments: [1_000, 1 << 20])
  func `an answer of 1,000 bytes is constant, and one of 1 MB is not`(length: Int) throws {
    let deck = try deck(body: String(repeating: "a", count: length))
    #expect(try isConstant(deck) == (length < 1 << 20))
  }

  @Test(
    arguments: [
      ("50ms", .seconds(0.05)), ("0.5s", .seconds(0.5)), ("2", .seconds(2)), ("2min", .seconds(120)),
      ("1h", .seconds(3600)), ("20ms..80ms", .uniform(0.02, 0.08)),
      ("80ms~0.4", .logNormal(median: 0.08, sigma: 0.4)), ("recorded", .recorded), ("fitted", .fitted),
      ("80ms..20ms", nil),
      ("-1s", nil), ("soon", nil), ("2d", nil), ("1e9", nil),
    ] as [(String, Latency?)])
  func `a latency is parsed from its text, or rejected`(text: String, latency: Latency?) {
    #expect(Latency(text) == latency)
    if let latency { #expect(Latency(latency.text) == latency) }
  }

  @Test func `the latency of the settings applies to answers without a delay, and repeats after a reset`() throws {
    var settings = PlaybackSettings()
    settings.seed = 7
    settings.latency = .uniform(0.02, 0.08)
    let deck = try deck("", settings)
    #expect(try !isConstant(deck))
    let delays = try ["a", "b", "c", "a"].map { try play(deck, session: $0).delay }
    #expect(delays.allSatisfy { (0.02...0.08).contains($0) })
    // A session draws a new delay for each request, and repeats the same delays after a reset.
    #expect(Set(delays).count == 4)
    deck.reset()
    #expect(try ["a", "b", "c", "a"].map { try play(deck, session: $0).delay } == delays)
    #expect(try play(self.deck(#""delay": 3"#, settings)).delay == 3)
    deck.settings = PlaybackSettings()
    #expect(try play(deck).delay == 0 && isConstant(deck))
  }

  @Test func `a fitted latency equals the recorded one if a single recording has a latency`() throws {
    var settings = PlaybackSettings()
    settings.latency = .fitted
    let deck = try deck("", took: #""firstByte": 0.2, "total": 0.3"#, settings)
    let (played, _, delay) = try play(deck)
    // The latency of a single recording has no variance.
    #expect(abs(delay - 0.2) < 0.001)
    guard case .measured(let pieces, 10, false)? = played?.body else { throw Missing() }
    #expect(abs(pieces[0].after - 0.1) < 0.001)
  }

  @Test func `a bandwidth of the settings spreads a body, and the recording's bandwidth overrides it`() throws {
    var settings = PlaybackSettings()
    settings.bytesPerSecond = 20
    guard case .measured(let pieces, 10, false)? = try play(deck("", settings)).played?.body else {
      throw Missing()
    }
    #expect(abs(pieces.reduce(0) { $0 + $1.after } - 0.5) < 0.001)
    guard case .measured(let own, _, _)? = try play(deck(#""bytesPerSecond": 5"#, settings)).played?.body else {
      throw Missing()
    }
    #expect(abs(own.reduce(0) { $0 + $1.after } - 2) < 0.001)
  }

  @Test(arguments: [
    (#"{"kind": "reset", "first": 2}"#, "xx..."), (#"{"kind": "reset", "every": 3}"#, "..x..x."),
    (#"{"kind": "garbage"}"#, "xx"), (#"{"kind": "never", "probability": 0}"#, "..."),
    (#"{"kind": "empty", "probability": 1}"#, "xx"),
  ])
  func `a recording's fault applies to the requests that its terms select`(fault: String, turns: String) throws {
    let deck = try deck("\"fault\": \(fault)")
    let found = try turns.map { _ in try play(deck).failure == nil ? "." : "x" }
    #expect(found.joined() == turns)
  }

  @Test func `a fault with a probability applies to the same requests for the same seed and session`() throws {
    func turns(_ seed: UInt64, _ session: String) throws -> String {
      var settings = PlaybackSettings()
      settings.seed = seed
      settings.faults = [.reset.probability(0.5)]
      let deck = try deck("", settings)
      return try (0..<40).map { _ in try play(deck, session: session).failure == nil ? "." : "x" }.joined()
    }
    let first = try turns(7, "a")
    #expect(try turns(7, "a") == first)
    #expect(try turns(8, "a") != first && turns(7, "b") != first)
    #expect((8...32).contains(first.count { $0 == "x" }))
  }

  @Test func `new faults of the settings replace the old ones and keep injected faults`() throws {
    let deck = try deck()
    deck.inject([.status(503, first: 1)])
    deck.settings.faults = [.reset.every(2)]
    #expect(try play(deck).failure == nil)
    let failed = try (0..<2).count { _ in try play(deck).failure?.code == -1005 }
    #expect(failed == 1)
    deck.settings.faults = []
    #expect(try play(deck).failure == nil)
    #expect(try !isConstant(deck))
  }

  @Test(arguments: [("truncate", CassetteFault.CutEnd.reset), ("stall", .silence), ("badChunk", .badChunk)])
  func `a truncating fault sends three bytes and ends the body in its own way`(kind: String, end: CassetteFault.CutEnd)
    throws
  {
    let played = try #require(try play(deck(#""fault": {"kind": "\#(kind)", "after": 3}"#)).played)
    #expect(played.cutEnd == end)
    let pieces: [BodyChunk]
    switch played.body {
    case .measured(let cut, 10, true): pieces = cut
    case .pieces(let cut, true): pieces = cut
    default: throw Missing()
    }
    #expect(pieces.flatMap(\.bytes) == Array("012".utf8))
  }

  @Test(arguments: [
    (#""delay": "fited""#, "did you mean \"fitted\"?"),
    (#""fault": {"first": 1}"#, "\"kind\" is missing"),
    (#""fault": {"kind": "reset", "probability": 2}"#, "a number from 0 to 1"), (#""bytesPerSecond": 0"#, "1 or more"),
    (#""fault": {"kind": "reset", "evry": 2}"#, "did you mean \"every\"?"),
  ])
  func `an invalid replay setting is a problem that names its mistake`(replay: String, words: String) throws {
    #expect(problems(cassette(more: "\"replay\": {\(replay)}")).first?.contains(words) == true)
  }

  @Test func `written replay settings are read back unchanged`() throws {
    let replay =
      #""delay": "20ms..80ms", "chunkDelay": "5ms", "bytesPerSecond": 9, "fault": {"kind": "stall", "probability": 0.5, "first": 3, "every": 2, "after": 4}"#
    let first = try read(cassette(more: "\"replay\": {\(replay)}"))
    let again = try read(try text(of: first))
    #expect(again.interactions.first?.replay == first.interactions.first?.replay)
    #expect(again.interactions.first?.replay.faultTerms.after == 4)
  }
}
