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
  func play(_ request: URLRequest, content: [UInt8], defaults: [AnyHashable: Any]?) -> Play {
    var fields: [String: String] = [:]
    for (name, value) in defaults ?? [:] {
      if let name = name as? String { fields[name] = "\(value)" }
    }
    guard let url = request.url, let asked = HTTPRequest(request, defaults: fields, body: content) else {
      let text =
        "\(request.url?.absoluteString ?? "a request without a URL") is not HTTP: cassettes answer http and https only"
      note(request.url?.absoluteString ?? "", "refused", nil) { $0.ledger.problems.append(text) }
      return .result(ExchangeResult(failing: .make(NSURLErrorUnsupportedURL, url: request.url, message: text)))
    }
    var line: String { "\(asked.method) \(SecretNames.masked(url: asked.pathAndQuery))" }
    switch deck.answer(asked) {
    case .miss(let miss):
      if let call = liveCall(request, asked, content, fields) {
        note(line, "the network", SentRequest(asked, url: url)) { _ in }
        return .live(call)
      }
      note(line, "miss", SentRequest(asked, url: url)) { $0.ledger.misses.append(miss) }
      return .result(ExchangeResult(failing: .make(NSURLErrorResourceUnavailable, url: url, message: miss.text)))
    case .interrupted(let fault):
      let likeness = fault.approximation.map { " with approximate: \($0.parts)" } ?? ""
      note(line, "fault \(fault.fault)\(likeness)", SentRequest(asked, url: url)) {
        $0.ledger.keep(fault.approximation)
      }
      return .result(ExchangeResult(fault.planned, url: url, delay: fault.delay()))
    case .derived(let response, _):
      note(line, "derived", SentRequest(asked, url: url)) { _ in }
      let played = PlayedResponse(
        status: response.status, reason: response.reason, headers: response.headers, body: .bytes(response.body))
      tell(asked, .response(played), url, of: nil)
      return .result(ExchangeResult(played, url: url))
    case .playback(let playback):
      return .result(perform(playback, asked, request, line, url))
    }
  }

  private func perform(
    _ playback: Playback, _ asked: HTTPRequest, _ request: URLRequest, _ line: @autoclosure () -> String, _ url: URL
  ) -> ExchangeResult {
    var delay = 0.0
    let recording = playback.recording
    let approximation = playback.approximation
    let likeness = approximation.map { ["approximate: \($0.parts)"] } ?? []
    let isSettled = ResponseCache.isSettled(playback, for: asked)
    let kept = note(
      line(),
      (["\(recording.cassette)/\(recording.interaction.id)"] + playback.shownFaults + likeness)
        .joined(separator: " with "),
      SentRequest(asked, url: url)
    ) { state in
      state.ledger.keep(approximation)
      return isSettled && state.observers.isEmpty ? state.kept[playback, url] : nil
    }
    if let kept { return kept }
    do throws(CassetteError) {
      if recording.cassette == Stub.cassette {
        var sent = request
        if !asked.body.isEmpty { sent.httpBody = Data(asked.body) }
        let stubs = state.withLock { $0.stubs }
        if let (answer, seconds) = try stubs.answer(to: playback, method: asked.method, { sent }) {
          delay = seconds
          if let answer {
            tell(asked, answer, url, of: recording)
            let made = playback.faulted(answer)
            return ExchangeResult(made.planned, url: url, delay: delay + made.delay)
          }
        }
      }
      let planned = try PlannedResponse.of(playback, for: asked, base: nil, origins: playback.table.origins)
      tell(asked, planned, url, of: recording)
      let played = playback.faulted(planned)
      let result = ExchangeResult(played.planned, url: url, delay: delay + played.delay)
      if isSettled { state.withLock { $0.kept.keep(result, of: playback, for: url) } }
      return result
    } catch {
      let text = "\(error)"
      note(line(), "broken", SentRequest(asked, url: url)) { $0.ledger.problems.append(text) }
      return ExchangeResult(failing: .make(NSURLErrorCannotDecodeContentData, url: url, message: text))
    }
  }

  @discardableResult
  private func note<Result: Sendable>(
    _ request: @autoclosure () -> String, _ answer: @autoclosure () -> String, _ sent: @autoclosure () -> SentRequest?,
    _ more: (inout State) -> Result
  ) -> Result {
    state.withLock { state in
      state.ledger.note(request(), answer(), sent())
      return more(&state)
    }
  }
}
