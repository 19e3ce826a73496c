import CassetteFoundation
import CassetteHTTP
import CassetteRecording
internal import CassetteSystem
import Cassettes
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A request on its way to the network and back, redirects not followed, and what is recorded of it.
final class LiveCall: Sendable {
  /// An event of the answer, in the order they arrive.
  enum Event: Sendable {
    case head(HTTPURLResponse)
    case data([UInt8])
    /// The end; it broke off when there is an error.
    case end(URLError?)
  }

  private struct State {
    var hear: (@Sendable (Event) -> Void)?
    var task: URLSessionTask?
    /// True if the call has ended, or nobody waits for it any more.
    var isOver = false
    var began = ContinuousClock.now
    var firstByte: Duration?
    var last = ContinuousClock.now
    var response: RecordedResponse?
    var isStreamed = false
    var pieces: [BodyChunk] = []
    /// The number of bytes of content that came, decoded; the flag tells if a coding made too many of few.
    var length = 0
    var isTooLong = false
  }

  /// A pause shorter than this is how a network happens to deliver, not how an origin speaks.
  private static let pause = Duration.milliseconds(20)

  /// The request that is sent.
  let request: URLRequest
  /// The number of seconds without a byte after which it is too late.
  private let patience: Double
  private let take: ResponseCapture?
  private let state = Locked(State())

  /// A call that is not made yet.
  ///
  /// - Parameters:
  ///   - request: What is sent, its content in `httpBody`, every field it shall have in it.
  ///   - take: What is recorded of it; nil for nothing.
  init(_ request: URLRequest, take: ResponseCapture?) {
    var request = request
    let interval = request.timeoutInterval
    patience = interval > 0 ? min(interval, 86_400) : 60
    // On Linux the library's own clock does not always strike: it comes second.
    request.timeoutInterval = patience * 2 + 10
    self.request = request
    self.take = take
  }

  /// Listens to what comes back, from whatever queue.
  func begin(_ hear: @escaping @Sendable (Event) -> Void) {
    state.withLock { state in
      state.hear = hear
      state.began = .now
      state.last = .now
    }
    watch(for: patience)
  }

  private func watch(for seconds: Double) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
      guard let self else { return }
      let (isOver, silent, task) = state.withLock { ($0.isOver, Self.seconds(ContinuousClock.now - $0.last), $0.task) }
      if isOver { return }
      guard silent >= patience else { return watch(for: patience - silent) }
      finish(URLError.make(NSURLErrorTimedOut, url: request.url))
      task?.cancel()
    }
  }

  /// Tells whether the task is still wanted.
  func carries(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      state.task = task
      return !state.isOver
    }
  }

  /// Cancels the call: nobody waits for the answer any more; an exchange that has not ended is not recorded.
  func cancel() {
    let task = state.withLock { state in
      state.isOver = true
      state.hear = nil
      return state.task
    }
    guard let task else { return }
    // Never from the library's own queue, where whoever waited for the answer may just have been freed.
    DispatchQueue.global().async { task.cancel() }
  }

  func receive(_ response: HTTPURLResponse) {
    let status = HTTPStatus(response.statusCode)
    let isBodiless = request.httpMethod == "HEAD" || !status.allowsContent
    let fields = HTTPHeaders(received: response, keepsLength: isBodiless)
    let coding = isBodiless ? nil : HTTPHeaders.coding(of: response)
    let isStreamed = response.value(forHTTPHeaderField: "Transfer-Encoding") != nil
    let hear = state.withLock { state in
      state.firstByte = ContinuousClock.now - state.began
      state.last = .now
      state.isStreamed = isStreamed
      state.response = RecordedResponse(status: status, headers: fields, body: nil)
      state.response?.coding = coding
      return state.hear
    }
    var shown = fields
    if isStreamed {
      shown.append("Transfer-Encoding", "chunked")
    } else if !isBodiless, !fields.contains("Content-Length"), !HTTPHeaders.isCoded(response),
      let length = response.value(forHTTPHeaderField: "Content-Length")
    {
      shown.append("Content-Length", length)
    }
    guard let url = response.url ?? request.url,
      let head = ExchangeResult.response(url: url, status: status, headers: shown)
    else { return }
    hear?(.head(head))
  }

  func receive(_ data: Data) {
    let bytes = Array(data)
    let hear: (@Sendable (Event) -> Void)? = state.withLock { state in
      if state.isOver { return nil }
      let now = ContinuousClock.now
      let gap = now - state.last
      state.last = now
      state.length += bytes.count
      if state.isTooLong || state.response?.coding != nil && state.length > Recording.longestDecoded {
        state.isTooLong = true
        state.pieces = []
        return state.hear
      }
      if gap >= Self.pause || state.pieces.isEmpty {
        state.pieces.append(BodyChunk(after: gap >= Self.pause ? Self.rounded(gap) : 0, bytes: bytes))
      } else {
        state.pieces[state.pieces.count - 1].bytes += bytes
      }
      return state.hear
    }
    hear?(.data(bytes))
  }

  func finish(_ error: (any Error)?) {
    let (hear, wasOver, response, facts, isTooLong) = state.withLock { state in
      let wasOver = state.isOver
      state.isOver = true
      let total = ContinuousClock.now - state.began
      let facts = RecordedFacts(
        at: Date().formatted(.iso8601), firstByte: state.firstByte.map(Self.rounded), total: Self.rounded(total))
      var response = state.response
      response?.body = Self.body(state, breaksOff: error != nil)
      return (state.hear, wasOver, response, facts, state.isTooLong)
    }
    if wasOver { return }
    var failure: URLError?
    if let response {
      if error != nil { failure = .make(URLError.brokenOff, url: request.url) }
      if isTooLong {
        take?.refuse("decoded, its body is longer than \(Recording.longestDecoded >> 20) MB")
      } else {
        take?.finish(response, facts)
      }
    } else {
      let code = error.map { ($0 as? URLError)?.code.rawValue ?? ($0 as NSError).code } ?? NSURLErrorBadServerResponse
      failure = (error as? URLError) ?? .make(code, url: request.url)
      take?.finish(RecordedFailure(code: code), facts)
    }
    hear?(.end(failure))
  }

  /// A body as it is kept: in pieces where the origin took its time between them, or broke off.
  private static func body(_ state: State, breaksOff: Bool) -> Body? {
    if breaksOff { return .chunks(state.pieces, end: .reset) }
    let bytes = state.pieces.flatMap(\.bytes)
    if bytes.isEmpty { return nil }
    guard state.isStreamed, state.pieces.contains(where: { $0.after > 0 }) else { return .storing(bytes) }
    // One JSON document is read as a whole by whoever asked, and by whoever reviews it.
    let type = state.response?.headers["Content-Type"].flatMap { MediaType($0) }
    if let type, type.isJSON, case .json = Body.storing(bytes).form { return .storing(bytes) }
    return .chunks(state.pieces)
  }

  /// Rounds to the millisecond: more would be noise in a file that people read.
  private static func rounded(_ duration: Duration) -> Double { (seconds(duration) * 1_000).rounded() / 1_000 }

  private static func seconds(_ duration: Duration) -> Double {
    let (seconds, fraction) = duration.components
    return Double(seconds) + Double(fraction) / 1e18
  }
}
