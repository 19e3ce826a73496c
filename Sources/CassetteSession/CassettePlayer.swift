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
    var closed: Lanes.Closing?
    /// How many tasks are under way, and whether there was ever more than one at a time.
    var flights = 0
    var hasOverlapped = false
    var recorders: [Recorder] = []
    var isLive = false
    var redaction = Redaction.standard
  }

  /// Who plays, for the messages: a test's or a cassette's name.
  public let name: String
  private let deck: Deck
  private let state: Mutex<State>
  private let live = LiveSession()

  /// A player of cassettes that were read, or made in code.
  ///
  /// - Parameters:
  ///   - cassettes: What is played, the first preferred among equals.
  ///   - name: Who plays, for the messages.
  public init(_ cassettes: [Cassette] = [], name: String? = nil) {
    var library = CassetteLibrary(cassettes: cassettes)
    library.hasRoomForFixtures = false
    self.name = name ?? cassettes.first?.name ?? "a player without cassettes"
    deck = Deck(library)
    state = Mutex(State(library: library))
  }

  /// A player of files.
  ///
  /// Unless a mode is given that says otherwise, nothing goes to the network and nothing is written.
  ///
  /// - Parameters:
  ///   - paths: Cassettes, or folders of them with their fixtures.
  ///   - name: Who plays, for the messages.
  ///   - mode: Whether they are played or recorded; the environment is not asked, see ``Mode/resolved(_:environment:)``.
  /// - Throws: ``CassetteError`` with file, line and column of what is wrong.
  public init(paths: [String], name: String? = nil, mode: Mode = .replay) throws(CassetteError) {
    let library = CassetteLibrary()
    self.name = name ?? paths.first ?? "a player without cassettes"
    deck = Deck(library)
    state = Mutex(State(library: library))
    try add(paths: paths, mode: mode)
  }

  /// What was asked so far and what answered.
  public var ledger: Ledger {
    let (kept, hasOverlapped) = state.withLock { ($0.ledger, $0.hasOverlapped) }
    var ledger = kept
    let reel = deck.reel
    func shown(_ number: Int) -> String {
      let entry = reel.entries[number]
      let place = entry.interaction.place.map { " (\($0.file):\($0.line))" } ?? ""
      return
        "\(entry.interaction.method) \(SecretNames.masked(url: entry.interaction.url)) — \"\(entry.interaction.id)\" of \"\(entry.cassette)\"\(place)"
    }
    // Of requests sent side by side nobody can say which came first, and a stub has no place in time.
    if !hasOverlapped {
      ledger.outOfOrder = reel.outOfOrder.filter { reel.entries[$0.first].cassette != Stub.cassette }
        .map { "\(shown($0.second))\n    came before \(shown($0.first))" }
    }
    ledger.faultsNeverMet = deck.faultsNeverMet
    ledger.neverPlayed = reel.neverPlayed.map { shown($0) }
    return ledger
  }

  /// Adds cassettes behind the others; meant for before the first request.
  ///
  /// - Parameter cassettes: What is played too.
  package func add(_ cassettes: [Cassette]) {
    change { state in
      let room = state.library.hasRoomForFixtures
      state.library = CassetteLibrary(
        cassettes: state.library.cassettes + cassettes, fixtures: state.library.fixtures)
      state.library.hasRoomForFixtures = room
    }
  }

  /// Adds files behind what is played already; meant for before the first request.
  ///
  /// - Parameters:
  ///   - paths: Cassettes, or folders of them with their fixtures; where they are recorded, a file each.
  ///   - mode: Whether they are played or recorded.
  /// - Throws: ``CassetteError`` with file, line and column of what is wrong.
  package func add(paths: [String], mode: Mode) throws(CassetteError) {
    if mode == .live { state.withLock { $0.isLive = true } }
    if mode.records {
      var recorders: [Recorder] = []
      for path in paths { recorders.append(try Recorder(path: path, mode: mode)) }
      state.withLock { $0.recorders += recorders }
    }
    guard mode == .replay || mode == .recordMissing else { return }
    let there = mode == .replay ? paths : paths.filter { Folder.resolvedKind(of: $0) != .missing }
    guard !there.isEmpty else { return }
    let more = try CassetteLibrary.load(there)
    change { state in
      let old = state.library
      state.library = CassetteLibrary(
        cassettes: old.cassettes + more.cassettes, fixtures: old.fixtures + more.fixtures)
      state.library.hasRoomForFixtures = old.hasRoomForFixtures || more.hasRoomForFixtures
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
      let room = state.library.hasRoomForFixtures
      state.library = CassetteLibrary(cassettes: [made] + cassettes, fixtures: state.library.fixtures)
      state.library.hasRoomForFixtures = room
    }
  }

  /// Lays faults over the answers, behind those that are there; cassettes and stubs stay as they are.
  ///
  /// - Parameter faults: What goes wrong, or takes its time.
  public func overlay(_ faults: [Fault]) { deck.overlay(faults) }

  private func change(_ change: (inout State) -> Void) {
    let library = state.withLock { state in
      change(&state)
      return state.library
    }
    deck.load(library)
  }

  /// Takes more secrets out of what is recorded than the usual, or fewer.
  ///
  /// - Parameter change: Gets the rules so far, gives those to save with.
  public func redact(_ change: (Redaction) -> Redaction) {
    state.withLock { $0.redaction = change($0.redaction) }
  }

  /// Writes what was recorded: secrets taken out, merged into the cassettes there were, each whole or not at all.
  ///
  /// - Returns: What changed, a line for each cassette that is recorded.
  /// - Throws: ``CassetteError`` for what looks like a secret still, or for what the system said.
  @discardableResult
  public func save() throws(CassetteError) -> [String] {
    let (recorders, redaction) = state.withLock { ($0.recorders, $0.redaction) }
    var lines: [String] = []
    var failure: CassetteError?
    for recorder in recorders {
      do throws(CassetteError) { lines.append(try recorder.save(redaction)) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return lines
  }

  /// Whether requests may reach the network.
  public var isRecording: Bool { state.withLock { $0.isLive || !$0.recorders.isEmpty } }

  /// Begins every recording anew, and counts faults anew.
  public func rewind() { deck.rewind() }

  /// Ends the play: from now on requests fail with this player's name.
  public func end() { end("came after \"\(name)\" had ended") }

  /// Ends the play, with the words for whoever still asks.
  ///
  /// - Parameters:
  ///   - reason: What to say of a request that comes later.
  ///   - late: Hears of each of them, on whatever queue.
  package func end(_ reason: String, late: (@Sendable (String) -> Void)? = nil) {
    let closing = Lanes.Closing(reason: reason, late: late)
    let lanes = state.withLock { state in
      state.closed = closing
      return state.lanes
    }
    Lanes.shared.close(lanes, closing)
    live.end()
  }

  /// Where requests go that come to this player.
  var destination: Lanes.Destination { state.withLock { $0.closed }.map { .closed($0) } ?? .player(self) }

  /// A task under way, for as long as it is kept.
  final class Flight: Sendable {
    private let player: CassettePlayer

    init(_ player: CassettePlayer) {
      self.player = player
      player.state.withLock { state in
        state.flights += 1
        if state.flights > 1 { state.hasOverlapped = true }
      }
    }

    deinit { player.state.withLock { $0.flights -= 1 } }
  }

  func send(_ call: LiveCall) { live.send(call) }

  func takeLane() -> CassetteURLProtocol.Type {
    let lane = Lanes.shared.take(for: self)
    let closed = state.withLock { state in
      state.lanes.append(lane)
      return state.closed
    }
    if let closed { Lanes.shared.close([lane], closed) }
    return lane
  }

  /// What becomes of a request.
  enum Play {
    /// This answers it.
    case hop(Hop)
    /// The network is to answer it.
    case live(LiveCall)
  }

  /// Plays one hop of a request; where a redirect leads is another.
  func play(_ request: URLRequest, content: [UInt8], defaults: [AnyHashable: Any]?) -> Play {
    let fields = (defaults ?? [:]).reduce(into: [String: String]()) { fields, field in
      if let name = field.key as? String { fields[name] = "\(field.value)" }
    }
    guard let url = request.url, let asked = HTTPRequest(request, defaults: fields, body: content) else {
      let text =
        "\(request.url?.absoluteString ?? "a request without a URL") is not HTTP: cassettes answer http and https only"
      note(request.url?.absoluteString ?? "", "refused") { $0.problems.append(text) }
      return .hop(Hop(failing: .make(NSURLErrorUnsupportedURL, url: request.url, message: text)))
    }
    var line: String { "\(asked.method) \(SecretNames.masked(url: asked.pathAndQuery))" }
    switch deck.play(asked) {
    case .miss(let miss):
      if let call = liveCall(request, asked, content, fields) {
        note(line, "the network")
        return .live(call)
      }
      note(line, "miss") { $0.misses.append(miss) }
      return .hop(Hop(failing: .make(NSURLErrorResourceUnavailable, url: url, message: miss.text)))
    case .interrupted(let fault):
      note(line, "fault \(fault.fault)")
      return .hop(Hop(fault.performance, url: url, delay: fault.delay))
    case .derived(let response, _):
      note(line, "derived")
      let played = PlayedResponse(
        status: response.status, reason: response.reason, headers: response.headers, body: .bytes(response.body))
      return .hop(Hop(played, url: url))
    case .playback(let playback):
      return .hop(perform(playback, asked, request, line, url))
    }
  }

  /// The call that asks the network, where a mode says so; its exchange goes to the cassette of its origin, else the first.
  private func liveCall(
    _ request: URLRequest, _ asked: HTTPRequest, _ content: [UInt8], _ defaults: [String: String]
  ) -> LiveCall? {
    let (isLive, recorders) = state.withLock { ($0.isLive, $0.recorders) }
    guard isLive || !recorders.isEmpty else { return nil }
    let origin = RecordedTarget.origin(of: asked.target.text)
    let own = recorders.first { $0.origin.map(RecordedTarget.canonicalOrigin) == origin } ?? recorders.first
    let take = own.map { Take(of: asked, by: $0.recording) }
    var sent = request
    for (name, value) in defaults where sent.value(forHTTPHeaderField: name) == nil {
      sent.setValue(value, forHTTPHeaderField: name)
    }
    sent.httpBodyStream = nil
    sent.httpBody = content.isEmpty ? nil : Data(content)
    return LiveCall(sent, take: take)
  }

  private func perform(
    _ playback: Playback, _ asked: HTTPRequest, _ request: URLRequest, _ line: @autoclosure () -> String, _ url: URL
  ) -> Hop {
    var delay = 0.0
    let recording = playback.recording
    note(
      line(), (["\(recording.cassette)/\(recording.interaction.id)"] + playback.shownFaults).joined(separator: " with ")
    )
    let isSettled = KeptHops.isSettled(playback, for: asked)
    if isSettled, let hop = state.withLock({ $0.kept[playback, url] }) { return hop }
    do throws(CassetteError) {
      if recording.cassette == Stub.cassette, let answer = state.withLock({ $0.stubs[recording.interaction.id] }) {
        var sent = request
        if !asked.body.isEmpty { sent.httpBody = Data(asked.body) }
        let settled = answer.settled(for: sent)
        delay = settled.seconds
        if answer.isMade {
          // The deck was shown a stand-in: what the closure says is known only now.
          let made = playback.faulted(try settled.performance(isHead: asked.method == .head))
          return Hop(made.performance, url: url, delay: delay + made.delay)
        }
      }
      let played = playback.faulted(
        try Performance.of(playback, for: asked, base: nil, origins: playback.reel.origins))
      let hop = Hop(played.performance, url: url, delay: delay + played.delay)
      if isSettled { state.withLock { $0.kept.keep(hop, of: playback, for: url) } }
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

  /// The recordings that were first asked for before one that is recorded before them.
  ///
  /// None when any requests were under way side by side: those have no order.
  public internal(set) var outOfOrder: [String] = []
  /// The faults that no request was for, as they are written in code.
  public internal(set) var faultsNeverMet: [String] = []

  mutating func note(_ request: @autoclosure () -> String, _ answer: @autoclosure () -> String) {
    count += 1
    if requests.count < Self.kept { requests.append(Entry(request: request(), answer: answer())) }
  }
}
