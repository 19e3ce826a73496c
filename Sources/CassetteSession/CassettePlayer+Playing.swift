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
    let fields = (defaults ?? [:]).reduce(into: [String: String]()) { fields, field in
      if let name = field.key as? String { fields[name] = "\(field.value)" }
    }
    guard let url = request.url, let asked = HTTPRequest(request, defaults: fields, body: content) else {
      let text =
        "\(request.url?.absoluteString ?? "a request without a URL") is not HTTP: cassettes answer http and https only"
      note(request.url?.absoluteString ?? "", "refused") { $0.problems.append(text) }
      return .result(ExchangeResult(failing: .make(NSURLErrorUnsupportedURL, url: request.url, message: text)))
    }
    var line: String { "\(asked.method) \(SecretNames.masked(url: asked.pathAndQuery))" }
    let sent = SentRequest(asked, url: url)
    switch deck.answer(asked) {
    case .miss(let miss):
      if let call = liveCall(request, asked, content, fields) {
        note(line, "the network", sent)
        return .live(call)
      }
      note(line, "miss", sent) { $0.misses.append(miss) }
      return .result(ExchangeResult(failing: .make(NSURLErrorResourceUnavailable, url: url, message: miss.text)))
    case .interrupted(let fault):
      let likeness = fault.approximation.map { " with approximate: \($0.parts)" } ?? ""
      note(line, "fault \(fault.fault)\(likeness)", sent) { $0.keep(fault.approximation) }
      return .result(ExchangeResult(fault.planned, url: url, delay: fault.delay()))
    case .derived(let response, _):
      note(line, "derived", sent)
      let played = PlayedResponse(
        status: response.status, reason: response.reason, headers: response.headers, body: .bytes(response.body))
      tell(asked, .response(played), url, of: nil)
      return .result(ExchangeResult(played, url: url))
    case .playback(let playback):
      return .result(perform(playback, asked, request, line, sent))
    }
  }

  private func perform(
    _ playback: Playback, _ asked: HTTPRequest, _ request: URLRequest, _ line: @autoclosure () -> String,
    _ noted: SentRequest
  ) -> ExchangeResult {
    var delay = 0.0
    let url = noted.url
    let recording = playback.recording
    let approximation = playback.approximation
    let likeness = approximation.map { ["approximate: \($0.parts)"] } ?? []
    note(
      line(),
      (["\(recording.cassette)/\(recording.interaction.id)"] + playback.shownFaults + likeness)
        .joined(separator: " with "),
      noted
    ) { $0.keep(approximation) }
    let isSettled = ResponseCache.isSettled(playback, for: asked)
    if isSettled, let result = state.withLock({ $0.observers.isEmpty ? $0.kept[playback, url] : nil }) { return result }
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
      note(line(), "broken", noted) { $0.problems.append(text) }
      return ExchangeResult(failing: .make(NSURLErrorCannotDecodeContentData, url: url, message: text))
    }
  }

  private func note(
    _ request: @autoclosure () -> String, _ answer: @autoclosure () -> String, _ sent: SentRequest? = nil,
    _ more: (inout Ledger) -> Void = { _ in }
  ) {
    state.withLock { state in
      state.ledger.note(request(), answer(), sent)
      more(&state.ledger)
    }
  }
}
