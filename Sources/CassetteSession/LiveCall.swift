import CassetteHTTP
import CassetteRecording
internal import CassetteSystem
import Cassettes
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request that is sent to the network without following redirects, and the capture of its response.
final class LiveCall: Sendable {
  /// An event of the response, in order of arrival.
  enum Event: Sendable {
    case head(HTTPURLResponse)
    case data([UInt8])
    /// The end of the response, with an error if it is incomplete.
    case end(URLError?)
  }

  private struct State: ~Copyable {
    var hear: (@Sendable (Event) -> Void)?
    var task: URLSessionTask?
    /// True if the call has ended or was cancelled.
    var isOver = false
    /// The time of the last event, in nanoseconds of the monotonic clock.
    var last = LiveCall.now
    var capture = ResponseCapture(began: LiveCall.now, hasCoded: false)
  }

  /// The request to send.
  let request: URLRequest
  /// The number of seconds without data after which the call times out.
  private let patience: Double
  private let exchange: RecordedExchange?
  private let state = Locked(State())

  /// Creates a call that is not sent yet.
  ///
  /// The request has its body in `httpBody`, and all its header fields. Without an exchange, nothing is recorded.
  init(_ request: URLRequest, recordedAs exchange: RecordedExchange?) {
    var request = request
    let interval = request.timeoutInterval
    patience = interval > 0 ? min(interval, 86_400) : 60
    // On Linux, the timeout of the library does not always fire, so it is only a fallback.
    request.timeoutInterval = patience * 2 + 10
    self.request = request
    self.exchange = exchange
  }

  /// Starts the timeout, and sets the closure that receives the events, on any queue.
  func begin(_ hear: @escaping @Sendable (Event) -> Void) {
    state.withLock { state in
      state.hear = hear
      state.last = Self.now
      state.capture = ResponseCapture(began: state.last, hasCoded: false)
      // Opaque bodies are checked when the recording is saved, with the redaction of the test.
      state.capture.keepsOpaque = true
    }
    watch(for: patience)
  }

  private func watch(for seconds: Double) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let (isOver, silent, task) = state.withLock {
        ($0.isOver, Double(Self.now - min(Self.now, $0.last)) / 1e9, $0.task)
      }
      if isOver { return }
      guard silent >= patience else { return watch(for: patience - silent) }
      finish(URLError.make(NSURLErrorTimedOut, url: request.url))
      task?.cancel()
    }
  }

  /// Sets the task of the call; returns false if the call has been cancelled.
  func carries(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.task = task
      return !state.isOver
    }
  }

  /// Cancels the call.
  ///
  /// If its exchange has not ended, it is not recorded.
  func cancel() {
    let task = state.withLock { state in
      state.isOver = true
      state.hear = nil
      return state.task
    }
    guard let task else { return }
    // Not on the library's own queue, where the receiver of the events may be in deallocation.
    DispatchQueue.global().async { task.cancel() }
  }

  func receive(_ response: HTTPURLResponse) {
    let status = HTTPStatus(response.statusCode)
    let isBodiless = request.httpMethod == "HEAD" || !status.allowsContent
    var fields = HTTPHeaders(received: response, keepsLength: isBodiless)
    let isCoded = !isBodiless && HTTPHeaders.isCoded(response)
    let isChunked = response.value(forHTTPHeaderField: "Transfer-Encoding") != nil
    let length = response.value(forHTTPHeaderField: "Content-Length")
    let framing: ResponseHead.BodyFraming =
      isBodiless ? .none : isChunked ? .chunked : length.flatMap(Int.init).map { .length($0) } ?? .untilClose
    var recorded = fields
    if isCoded, let coding = HTTPHeaders.coding(of: response) { recorded.append("Content-Encoding", coding) }
    let head = ResponseHead(status: status, headers: recorded)
    let hear = state.withLock { state in
      state.last = Self.now
      state.capture.begin(head, framing, isDecoded: isCoded, at: state.last)
      return state.hear
    }
    if isChunked {
      fields.append("Transfer-Encoding", "chunked")
    } else if !isBodiless, !fields.contains("Content-Length"), !isCoded, let length {
      fields.append("Content-Length", length)
    }
    guard let url = response.url ?? request.url,
      let shown = ExchangeResult.response(url: url, status: status, headers: fields)
    else { return }
    hear?(.head(shown))
  }

  func receive(_ data: Data) {
    let bytes = Array(data)
    let hear: (@Sendable (Event) -> Void)? = state.withLock { state in
      if state.isOver { return nil }
      state.last = Self.now
      state.capture.note(bytes.count, at: state.last)
      if state.capture.isCoded {
        state.capture.append(decoded: bytes)
      } else {
        state.capture.append(bytes)
      }
      return state.hear
    }
    hear?(.data(bytes))
  }

  func finish(_ error: (any Error)?) {
    let (hear, wasOver, capture) = state.withLock { state in
      let wasOver = state.isOver
      state.isOver = true
      state.capture.ended = Self.now
      return (state.hear, wasOver, state.capture)
    }
    if wasOver { return }
    let facts = capture.facts(at: Int(Date().timeIntervalSince1970 * 1e9))
    var failure: URLError?
    if capture.head != nil {
      if error != nil { failure = .make(URLError.brokenOff, url: request.url) }
      exchange?.finish(capture, breaksOff: error != nil, facts)
    } else {
      let code = error.map { ($0 as? URLError)?.code.rawValue ?? ($0 as NSError).code } ?? NSURLErrorBadServerResponse
      failure = (error as? URLError) ?? .make(code, url: request.url)
      exchange?.finish(RecordedFailure(code: code), facts)
    }
    hear?(.end(failure))
  }

  /// The time of the monotonic clock in nanoseconds.
  private static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
