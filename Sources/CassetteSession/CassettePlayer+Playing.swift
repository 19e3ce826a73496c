import CassetteFoundation
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
    /// This answers it.
    case result(ExchangeResult)
    /// The network is to answer it.
    case live(LiveCall)
  }

  /// Plays one hop of a request; where a redirect leads is another.
  ///
  /// - Parameters:
  ///   - request: The request, with the cookies of its session.
  ///   - content: The body of the request.
  ///   - defaults: The header fields of the session.
  ///   - context: The context of the task that sends the request; nil where it is not known.
  ///   - asked: The same request with its header fields in order; nil to make it of `request`.
  /// - Returns: The answer, or the call to the network.
  func play(
    _ request: URLRequest, content: [UInt8], defaults: [AnyHashable: Any]?, in context: TaskContext? = nil,
    as asked: HTTPRequest? = nil
  ) -> Play {
    let play = playHop(request, content, defaults, context, asked)
    guard gates.isActive, case .result(var result) = play, result.gate == nil,
      let asked = asked ?? HTTPRequest(request, body: content)
    else { return play }
    result.gate = gates.gate(for: asked, stub: nil)
    return .result(result)
  }

  private func playHop(
    _ request: URLRequest, _ content: [UInt8], _ defaults: [AnyHashable: Any]?, _ context: TaskContext?,
    _ given: HTTPRequest?
  ) -> Play {
    var fields: [String: String] = [:]
    for (name, value) in defaults ?? [:] {
      if let name = name as? String { fields[name] = "\(value)" }
    }
    let made = { given ?? HTTPRequest(request, defaults: fields, body: content) }
    let names = given?.headers.map(\.name) ?? ((request.allHTTPHeaderFields ?? [:]).map(\.key) + fields.keys)
    if let url = request.url,
      let settled = deck.settled(method: request.httpMethod ?? "GET", url: url.absoluteString, fields: names)
    {
      let kept = state.withLock { state in
        state.ledger.note(
          CassetteLedger.Entry(
            made().map { CassetteSentRequest($0, url: url) }, by: settled.recording.interaction
          ) { settled.recording.name })
        return state.kept(settled.entry, settled.table, url)
      }
      if let kept { return .result(kept) }
      if let asked = made() { return .result(perform(settled.playback(of: asked), asked, request, url, context)) }
    }
    guard let url = request.url, let asked = made() else {
      let url = request.url?.absoluteString
      let text = "\(url ?? "a request without a URL") is not HTTP: cassettes answer http and https only"
      state.withLock { state in
        state.ledger.note(CassetteLedger.Entry(nil, url: url ?? "") { "refused" })
        state.ledger.problems.append(text)
      }
      return .result(ExchangeResult(failing: .make(NSURLErrorUnsupportedURL, url: request.url, message: text)))
    }
    switch deck.answer(asked) {
    case .miss(let miss):
      if let call = liveCall(request, asked, content, fields) {
        note(asked, url, "the network")
        return .live(call)
      }
      note(asked, url, "miss") { $0.misses.append(miss) }
      return .result(ExchangeResult(failing: .make(NSURLErrorResourceUnavailable, url: url, message: miss.text)))
    case .interrupted(let fault):
      note(asked, url, "fault " + Self.words([fault.fault], fault.approximation)) { $0.keep(fault.approximation) }
      return .result(
        result(asked, url) { () throws(CassetteError) in
          try ExchangeResult(fault.planned, url: url, delay: fault.delay())
        })
    case .derived(let response, _):
      note(asked, url, "derived")
      let played = PlayedResponse(
        status: response.status, reason: response.reason, headers: response.headers, body: .bytes(response.body))
      return .result(
        result(asked, url) { () throws(CassetteError) in
          try tell(asked, .response(played), url, of: nil)
          return try ExchangeResult(played, url: url)
        })
    case .playback(let playback):
      note(
        asked, url, by: playback.recording.interaction,
        Self.words([playback.recording.name] + playback.shownFaults, playback.approximation)
      ) {
        $0.keep(playback.approximation)
      }
      let isConstant = playback.isConstant && !asked.headers.contains("Origin")
      let kept = isConstant ? state.withLock { $0.kept(playback.entry, playback.table, url) } : nil
      return .result(kept ?? perform(playback, asked, request, url, context))
    }
  }

  private func perform(
    _ playback: Playback, _ asked: HTTPRequest, _ request: URLRequest, _ url: URL, _ context: TaskContext?
  ) -> ExchangeResult {
    result(asked, url) { () throws(CassetteError) in
      var delay = 0.0
      var gate: CassetteGate?
      let recording = playback.recording
      if recording.cassette == CassetteStub.cassette {
        var sent = request
        if !asked.body.isEmpty { sent.httpBody = Data(asked.body) }
        let (stubs, own) = state.withLock { ($0.stubs, $0.context) }
        if let (answer, seconds, held) = try stubs.answer(
          to: playback, method: asked.method, in: context ?? own, { sent })
        {
          (delay, gate) = (seconds, held)
          if let answer {
            try tell(asked, answer, url, of: recording)
            let made = try playback.faulted(answer)
            return try ExchangeResult(made.planned, url: url, delay: delay + made.delay, gate: gate)
          }
        }
      }
      let planned = try PlannedResponse.of(playback, for: asked, base: nil, origins: playback.table.origins)
      try tell(asked, planned, url, of: recording)
      let played = try playback.faulted(planned)
      let result = try ExchangeResult(played.planned, url: url, delay: delay + played.delay, gate: gate)
      if playback.isConstant, !asked.headers.contains("Origin") {
        state.withLock { $0.kept.keep(result, of: playback, for: url) }
      }
      return result
    }
  }

  /// Makes the result of a request; an error is added to the problems of the test, and fails the task.
  private func result(
    _ asked: HTTPRequest, _ url: URL, _ make: () throws(CassetteError) -> ExchangeResult
  ) -> ExchangeResult {
    do throws(CassetteError) {
      return try make()
    } catch {
      let text = "\(error)"
      note(asked, url, "broken") { $0.problems.append(text) }
      return ExchangeResult(failing: .make(NSURLErrorCannotDecodeContentData, url: url, message: text))
    }
  }

  private func note(
    _ request: HTTPRequest, _ url: URL, by recording: Interaction? = nil,
    _ answer: @autoclosure @escaping @Sendable () -> String,
    _ change: (inout CassetteLedger) -> Void = { _ in }
  ) {
    state.withLock { state in
      state.ledger.note(CassetteLedger.Entry(CassetteSentRequest(request, url: url), by: recording, answer))
      change(&state.ledger)
    }
  }

  private static func words(_ parts: [String], _ approximation: Approximation?) -> String {
    (parts + (approximation.map { ["approximate: \($0.parts)"] } ?? [])).joined(separator: " with ")
  }
}

extension RecordingTable.Entry {
  /// The recording, as a ledger names it.
  fileprivate var name: String { "\(cassette)/\(interaction.id)" }
}

extension CassettePlayer.State {
  /// Returns what a recording answered before, where nobody wants to be told of the answer.
  fileprivate func kept(_ entry: Int, _ table: RecordingTable, _ url: URL) -> ExchangeResult? {
    observers.isEmpty ? kept.result(of: entry, in: table, for: url) : nil
  }
}
