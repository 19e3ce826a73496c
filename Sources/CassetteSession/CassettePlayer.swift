public import Cassettes
import Foundation
import HTTP
import HTTPFoundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Answers the requests of sessions from cassettes and stubs, and keeps account of them.
///
/// Each player has a deck of its own: sessions of different players never hear of each other, however many run at once.
public final class CassettePlayer: Sendable {
  private struct State {
    var library: CassetteLibrary
    var stubs: [String: Stub.Answer] = [:]
    var stubCount: [String: Int] = [:]
    var ledger = Ledger()
    var kept = KeptHops()
    var lanes: [CassetteURLProtocol.Type] = []
    var closed: String?
  }

  /// Who plays, for the messages: a test's or a cassette's name.
  public let name: String
  private let deck: Deck
  private let state: Mutex<State>

  /// A player of cassettes that were read, or made in code.
  ///
  /// - Parameters:
  ///   - cassettes: What is played, the first preferred among equals.
  ///   - name: Who plays, for the messages.
  public init(_ cassettes: [Cassette] = [], name: String? = nil) {
    let library = CassetteLibrary(cassettes: cassettes)
    self.name = name ?? cassettes.first?.name ?? "a player without cassettes"
    deck = Deck(library)
    state = Mutex(State(library: library))
  }

  /// A player of files.
  ///
  /// - Parameters:
  ///   - paths: Cassettes, or folders of them with their fixtures.
  ///   - name: Who plays, for the messages.
  /// - Throws: ``CassetteError`` with file, line and column of what is wrong.
  public init(paths: [String], name: String? = nil) throws(CassetteError) {
    let library = try CassetteLibrary.load(paths)
    self.name = name ?? paths.first ?? "a player without cassettes"
    deck = Deck(library)
    state = Mutex(State(library: library))
  }

  /// What was asked so far and what answered.
  public var ledger: Ledger {
    var ledger = state.withLock { $0.ledger }
    let reel = deck.reel
    ledger.neverPlayed = reel.neverPlayed.map { number in
      let entry = reel.entries[number]
      let place = entry.interaction.place.map { " (\($0.file):\($0.line))" } ?? ""
      return
        "\(entry.interaction.method) \(SecretNames.masked(url: entry.interaction.url)) — \"\(entry.interaction.id)\" of \"\(entry.cassette)\"\(place)"
    }
    return ledger
  }

  /// Adds cassettes behind the others; meant for before the first request.
  ///
  /// - Parameter cassettes: What is played too.
  package func add(_ cassettes: [Cassette]) {
    change { $0.library = CassetteLibrary(cassettes: $0.library.cassettes + cassettes, fixtures: $0.library.fixtures) }
  }

  /// Adds files behind what is played already; meant for before the first request.
  ///
  /// - Parameter paths: Cassettes, or folders of them with their fixtures.
  /// - Throws: ``CassetteError`` with file, line and column of what is wrong.
  package func add(paths: [String]) throws(CassetteError) {
    let more = try CassetteLibrary.load(paths)
    change { state in
      let old = state.library
      state.library = CassetteLibrary(
        cassettes: old.cassettes + more.cassettes, fixtures: old.fixtures + more.fixtures)
    }
  }

  /// Adds stubs behind earlier ones and before every cassette; meant for before the first request.
  ///
  /// - Parameter stubs: What else answers.
  public func add(_ stubs: [Stub]) {
    change { state in
      var cassettes = state.library.cassettes
      var made = Cassette(name: Stub.cassette)
      if let index = cassettes.firstIndex(where: { $0.name == Stub.cassette }) { made = cassettes.remove(at: index) }
      for stub in stubs {
        for answer in stub.answers {
          let base = stub.id
          let count = state.stubCount[base, default: 0] + 1
          state.stubCount[base] = count
          let id = count == 1 ? base : "\(base)-\(count)"
          state.stubs[id] = answer
          made.interactions.append(stub.interaction(id: id, answer))
        }
      }
      state.library = CassetteLibrary(cassettes: [made] + cassettes, fixtures: state.library.fixtures)
    }
  }

  private func change(_ change: (inout State) -> Void) {
    let library = state.withLock { state in
      change(&state)
      return state.library
    }
    deck.load(library)
    state.withLock { $0.kept = KeptHops() }
  }

  /// Begins every recording anew.
  public func rewind() { deck.rewind() }

  /// Ends the play: from now on requests fail with this player's name.
  public func end() { end("came after \"\(name)\" had ended") }

  /// Ends the play, with the words for whoever still asks.
  package func end(_ reason: String) {
    let lanes = state.withLock { state in
      state.closed = reason
      return state.lanes
    }
    Lanes.shared.close(lanes, reason)
  }

  /// Where requests go that come to this player.
  var destination: Lanes.Destination { state.withLock { $0.closed }.map { .closed($0) } ?? .player(self) }

  func takeLane() -> CassetteURLProtocol.Type {
    let lane = Lanes.shared.take(for: self)
    let closed = state.withLock { state in
      state.lanes.append(lane)
      return state.closed
    }
    if let closed { Lanes.shared.close([lane], closed) }
    return lane
  }

  /// Plays one hop of a request; where a redirect leads is another.
  func play(_ request: URLRequest, content: [UInt8], defaults: [AnyHashable: Any]?) -> Hop {
    let fields = (defaults ?? [:]).reduce(into: [String: String]()) { fields, field in
      if let name = field.key as? String { fields[name] = "\(field.value)" }
    }
    guard let url = request.url, let asked = HTTPRequest(request, defaults: fields, body: content) else {
      let text =
        "\(request.url?.absoluteString ?? "a request without a URL") is not HTTP: cassettes answer http and https only"
      note(request.url?.absoluteString ?? "", "refused") { $0.problems.append(text) }
      return Hop(failing: .make(NSURLErrorUnsupportedURL, url: request.url, message: text))
    }
    var line: String { "\(asked.method) \(SecretNames.masked(url: asked.pathAndQuery))" }
    switch deck.play(asked) {
    case .miss(let miss):
      note(line, "miss") { $0.misses.append(miss) }
      return Hop(failing: .make(NSURLErrorResourceUnavailable, url: url, message: miss.text))
    case .derived(let response, _):
      note(line, "derived")
      let played = PlayedResponse(
        status: response.status, reason: response.reason, headers: response.headers, body: .bytes(response.body))
      return Hop(played, url: url)
    case .playback(let playback):
      return perform(playback, asked, request, line, url)
    }
  }

  private func perform(
    _ playback: Playback, _ asked: HTTPRequest, _ request: URLRequest, _ line: @autoclosure () -> String, _ url: URL
  ) -> Hop {
    var delay = 0.0
    let recording = playback.recording
    note(line(), "\(recording.cassette)/\(recording.interaction.id)")
    let isSettled = KeptHops.isSettled(playback, for: asked)
    if isSettled, let hop = state.withLock({ $0.kept[playback.entry, url] }) { return hop }
    do throws(CassetteError) {
      if recording.cassette == Stub.cassette, let answer = state.withLock({ $0.stubs[recording.interaction.id] }) {
        var sent = request
        if !asked.body.isEmpty { sent.httpBody = Data(asked.body) }
        let settled = answer.settled(for: sent)
        delay = settled.seconds
        if answer.isMade {
          // The deck was shown a stand-in: what the closure says is known only now.
          let performance = try settled.performance(isHead: asked.method == .head)
          return Hop(performance, url: url, delay: delay)
        }
      }
      let performance = try Performance.of(playback, for: asked, base: nil, origins: deck.reel.origins)
      let hop = Hop(performance, url: url, delay: delay)
      if isSettled { state.withLock { $0.kept.keep(hop, of: playback.entry, for: url) } }
      return hop
    } catch {
      let text = "\(error)"
      note(line(), "broken") { $0.problems.append(text) }
      return Hop(failing: .make(NSURLErrorCannotDecodeContentData, url: url, message: text))
    }
  }

  private func note(
    _ request: @autoclosure () -> String, _ answer: @autoclosure () -> String, _ more: (inout Ledger) -> Void = { _ in }
  ) {
    state.withLock { state in
      state.ledger.note(request(), answer())
      more(&state.ledger)
    }
  }
}

/// What a player was asked, and what became of it.
public struct Ledger: Sendable {
  /// One request and the recording that answered it.
  public struct Entry: Sendable, Equatable {
    /// Method and target, secrets masked.
    public let request: String
    /// Cassette and id of the recording, or what else became of it.
    public let answer: String
  }

  /// How many requests are kept.
  static let kept = 1_000

  /// The first thousand requests, in the order they came.
  public private(set) var requests: [Entry] = []
  /// How many requests came.
  public private(set) var count = 0
  /// The requests that nothing answered.
  public internal(set) var misses: [Miss] = []
  /// What else went wrong: bodies that cannot be read, requests that are not HTTP.
  public internal(set) var problems: [String] = []
  /// The recordings that no request has played, with their places.
  public internal(set) var neverPlayed: [String] = []

  mutating func note(_ request: @autoclosure () -> String, _ answer: @autoclosure () -> String) {
    count += 1
    if requests.count < Self.kept { requests.append(Entry(request: request(), answer: answer())) }
  }
}
