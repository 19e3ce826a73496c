import CassetteHTTP
import CassettePlayback
internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CassettePlayer {
  /// The outcome of a request.
  enum Play {
    /// The request is answered with this result.
    case result(ExchangeResult)
    /// The request is sent to the network.
    case live(LiveCall)
  }

  /// Answers one request; a redirect is followed by a separate request.
  ///
  /// - `context`: The context of the task that sends the request; nil if it is unknown. Nil by default.
  /// - `given`: The same request with its header fields in order; nil to convert `request`. Nil by default.
  func play(
    _ request: URLRequest, content: [UInt8], defaults: [AnyHashable: Any]?, in context: TaskContext? = nil,
    as given: HTTPRequest? = nil
  ) -> Play {
    var fields: [String: String] = [:]
    for (name, value) in defaults ?? [:] {
      if let name = name as? String { fields[name] = "\(value)" }
    }
    let asked = given ?? HTTPRequest(request, defaults: fields, body: content)
    let result: ExchangeResult
    do throws(URLError) {
      guard let url = request.url, let asked else { throw refuse(request.url) }
      let plan = deck.plan(asked)
      if case .miss = plan, let call = liveCall(request, asked, content, fields) {
        note(asked, url, "the network")
        return .live(call)
      }
      result = try carryOut(plan, asked, url, in: context) {
        var sent = request
        if !content.isEmpty { sent.httpBody = Data(content) }
        return sent
      }
    } catch {
      result = ExchangeResult(failing: error)
    }
    guard gates.isActive, result.gate == nil, let asked, let gate = gates.gate(for: asked, stub: nil) else {
      return .result(result)
    }
    return .result(result.held(by: gate))
  }

  /// Adds a request that is not an HTTP request to the problems of the test, and returns the error for its task.
  func refuse(_ url: URL?) -> URLError {
    let shown = url.map { SecretNames.masked(url: $0.absoluteString) }
    let text = "\(shown ?? "a request without a URL") is not HTTP: cassettes answer http and https only"
    state.withLock { state in
      state.ledger.note(CassetteLedger.Entry(nil, url: shown ?? "") { "refused" })
      state.ledger.problems.append(text)
    }
    return .make(NSURLErrorUnsupportedURL, url: url, message: text)
  }

  /// The maximum total size of bodies in the cached results of constant plans, in bytes.
  ///
  /// Creating a response of 1 KB takes 157,000 instructions, of which Foundation uses 122,000; the rest of an exchange
  /// takes 97,000.
  static let mostKept = 8 << 20

  /// Executes the plan for a request, and adds the request to the ledger.
  ///
  /// - `context`: The context of the task that sends the request; nil for the player's context.
  /// - `sent`: Returns the request for the closure of a stub.
  ///
  /// Returns the result, which is cached if the plan is constant.
  func carryOut(
    _ plan: Plan, _ asked: HTTPRequest, _ url: URL, in context: TaskContext?, sent: () -> URLRequest
  ) throws(URLError) -> ExchangeResult {
    switch plan {
    case .miss(let miss):
      note(asked, url, "miss") { $0.misses.append(miss) }
      throw .make(NSURLErrorResourceUnavailable, url: url, message: miss.text)
    case .made(let response, .fault(let words, let approximation), _):
      note(asked, url, "fault " + Self.words([words], approximation)) { $0.keep(approximation) }
      return try result(asked, url) { () throws(CassetteError) in try ExchangeResult(response, url: url) }
    case .made(let response, _, _):
      note(asked, url, "derived")
      return try result(asked, url) { () throws(CassetteError) in
        try tell(asked, response, url, of: nil)
        return try ExchangeResult(response, url: url)
      }
    case .constant(let playback):
      note(asked, url, by: playback.recording.interaction, playback.recording.name)
      // Observers receive each answer, so results are not cached if there are observers.
      let address = Array(url.absoluteString.utf8)
      let kept = state.withLock { state in
        state.observers.isEmpty ? state.view?.form(of: playback, address: address.span) : nil
      }
      if let kept = kept as? ExchangeResult { return kept }
      let result = try perform(playback, asked, url, context, sent)
      guard case .response = result.outcome else { return result }
      state.withLock { state in
        if state.view?.isOutdated ?? true { state.view = DeckView(deck, limit: Self.mostKept) }
        state.view?.keep(result, bytes: result.bodySize, of: playback, address: address.span)
      }
      return result
    case .response(let playback):
      let number = note(
        asked, url, by: playback.recording.interaction,
        Self.words([playback.recording.name] + playback.shownFaults, playback.approximation)
      ) {
        $0.keep(playback.approximation)
      }
      return try perform(playback, asked, url, context, sent) { made in
        state.withLock { $0.ledger.answer(number, with: made) }
      }
    }
  }

  private func perform(
    _ playback: Playback, _ asked: HTTPRequest, _ url: URL, _ context: TaskContext?, _ sent: () -> URLRequest,
    _ note: (_ made: PlayedResponse) -> Void = { _ in }
  ) throws(URLError) -> ExchangeResult {
    try result(asked, url) { () throws(CassetteError) in
      var seconds = 0.0
      var made: PlayedResponse?
      var gate: CassetteGate?
      let (stubs, own) = state.withLock { ($0.stubs, $0.context) }
      if let answer = try stubs.answer(to: playback, method: asked.method, in: context ?? own, sent) {
        (made, seconds, gate) = answer
        if let made { note(made) }
      }
      let whole = if let made { made } else { try playback.response() }
      try tell(asked, whole, url, of: playback.recording)
      var played = try playback.faulted(whole)
      played.delay += seconds
      let result = try ExchangeResult(played, url: url)
      return gate.map { result.held(by: $0) } ?? result
    }
  }

  /// Creates the result of a request; adds an error to the problems of the test, and fails the task with it.
  private func result(
    _ asked: HTTPRequest, _ url: URL, _ make: () throws(CassetteError) -> ExchangeResult
  ) throws(URLError) -> ExchangeResult {
    do throws(CassetteError) {
      return try make()
    } catch {
      let text = "\(error)"
      note(asked, url, "broken") { $0.problems.append(text) }
      throw .make(NSURLErrorCannotDecodeContentData, url: url, message: text)
    }
  }

  /// Adds a request to the ledger, and returns its number.
  @discardableResult
  private func note(
    _ request: HTTPRequest, _ url: URL, by recording: Interaction? = nil,
    _ answer: @autoclosure @escaping @Sendable () -> String,
    _ change: (inout CassetteLedger) -> Void = { _ in }
  ) -> Int {
    state.withLock { state in
      defer { change(&state.ledger) }
      let number = state.ledger.count
      state.ledger.note(CassetteLedger.Entry(CassetteSentRequest(request, url: url), by: recording, answer))
      return number
    }
  }

  private static func words(_ parts: [String], _ approximation: Approximation?) -> String {
    (parts + (approximation.map { ["approximate: \($0.parts)"] } ?? [])).joined(separator: " with ")
  }
}

extension RecordingTable.Entry {
  /// The name of the recording in a ledger.
  fileprivate var name: String { "\(cassette)/\(interaction.id)" }
}
