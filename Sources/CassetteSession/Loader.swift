internal import CassetteSecrets
internal import CassetteSystem
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries one task's request to its player, and what comes back to the task.
///
/// It follows redirects itself, each hop through the deck, and keeps what is still to be said while the task is suspended.
///
/// `@unchecked Sendable`: everything is touched on the task's work queue only, which Swift cannot see.
final class Loader: @unchecked Sendable {
  /// A step still to be done, in order; it survives being suspended.
  enum Step: Sendable {
    case ask(URLRequest, content: [UInt8])
    /// Seconds to wait, by the clock of the player unless they are real.
    case wait(Double, isReal: Bool = false)
    case hold(CassetteGate)
    case redirect(URLRequest, content: [UInt8], instead: Delivery)
    case challenge(Challenged)
    case head(HTTPURLResponse)
    case data(Data)
    case finish
    case fail(URLError)
  }

  var steps: ArraySlice<Step> = []
  /// True once the content has been asked for.
  private var hasBegun = false
  /// Grows with every start and stop: a timer of another run says nothing.
  private var run = 0
  /// The number of waits that began: a timer of another one says nothing.
  private var waits = 0
  /// The task that sleeps by the player's clock.
  private var timer: Task<Void, Never>?
  /// The gate that holds the answer, and the number of the answer there.
  private var held: (gate: CassetteGate, number: Int)?
  /// True if something that suspending does not stop will call back.
  var isExpecting = false
  var redirects = 0
  /// The number of challenges that were answered with credentials or trust.
  var challenges = 0
  /// The call under way to the network, in a mode that records.
  var live: LiveCall?
  var received: LiveAnswer = .awaited
  var keptBody: [UInt8] = []

  /// The part of a live call's answer that has come.
  enum LiveAnswer {
    case awaited
    /// Kept until it is whole: a redirect is not shown, and whoever waits for all gets all at once.
    case kept(HTTPURLResponse, next: (URLRequest, keepsBody: Bool)?)
    /// Handed on as it comes.
    case passing
  }
  /// The player from the first hop to the end of the last, so that it knows of tasks side by side.
  private var flight: CassettePlayer?

  private static let readers = DispatchQueue(label: "CassetteURLProtocol.readers", attributes: .concurrent)

  let request: URLRequest
  /// The only queue on which the client may be spoken to, looked up when first needed, while there is a task to ask.
  lazy var queue: DispatchQueue? = loading?.queue
  /// The configuration with the task's cookies; those of a session that tests share are not its own.
  var configuration: URLSessionConfiguration?
  /// The protocol that speaks to the client, while it may be spoken to.
  private(set) var loading: CassetteURLProtocol?

  init(_ request: URLRequest) { self.request = request }

  deinit {
    timer?.cancel()
    live?.cancel()
    flight?.endFlight()
  }

  var task: URLSessionTask? { loading?.task }
  /// True if the client always collects the pieces of a body, for every kind of task.
  var collectsPieces: Bool { loading.map { type(of: $0).system.collectsPieces } ?? false }
  private var isRunning: Bool { loading != nil }

  /// Begins, or goes on where it was stopped.
  func start(for loading: CassetteURLProtocol) {
    run += 1
    self.loading = loading
    if !isExpecting { proceed() }
  }

  /// Says nothing more: the client may be gone after this.
  func stop() {
    run += 1
    loading = nil
    leaveGate()
  }

  func proceed() {
    // Between the cancel and its end: the library fails the task for good, and one that had finished meanwhile would end
    // the process.
    if task?.state == .canceling { return }
    if !hasBegun {
      hasBegun = true
      guard readContent() else { return }
    }
    while let loading, let step = steps.first {
      switch step {
      case .ask(let request, let content):
        steps.removeFirst()
        ask(request, content)
      case .wait(let seconds, let isReal):
        wait(seconds, isReal)
        return
      case .hold(let gate):
        hold(gate)
        return
      case .redirect(let request, let content, let delivery):
        guard redirect(to: request, content: content, instead: delivery) else { return }
      case .challenge(let challenged):
        guard settle(challenged) else { return }
      case .head(let response):
        steps.removeFirst()
        loading.client?.urlProtocol(loading, didReceive: response, cacheStoragePolicy: .notAllowed)
      case .data(let data):
        steps.removeFirst()
        loading.client?.urlProtocol(loading, didLoad: data)
      case .finish:
        end()
        loading.client?.urlProtocolDidFinishLoading(loading)
      case .fail(let error):
        let reported = error.code == .resourceUnavailable ? flight?.missError : nil
        end()
        loading.client?.urlProtocol(loading, didFailWithError: reported ?? error)
      }
    }
  }

  func end() {
    steps = []
    flight?.endFlight()
    flight = nil
    loading = nil
  }

  func fail(_ code: Int, _ message: String) { steps = [.fail(.make(code, url: request.url, message: message))] }

  /// Replaces the first step by others and goes on, from whatever queue.
  func resume(with next: @escaping @Sendable (Loader) -> Void) {
    queue?.async {
      self.isExpecting = false
      next(self)
      self.proceed()
    }
  }

  private func wait(_ seconds: Double, _ isReal: Bool) {
    let allowed = request.timeoutInterval
    let isTooLong = allowed > 0 && seconds > allowed
    after(isTooLong ? allowed : seconds, isReal: isReal) { loader in
      loader.steps.removeFirst()
      if isTooLong { loader.steps = [.fail(.make(NSURLErrorTimedOut, url: loader.request.url))] }
    }
  }

  /// Waits until a test opens a gate, or the request times out.
  private func hold(_ gate: CassetteGate) {
    guard let queue else {
      fail(NSURLErrorUnknown, Self.noQueue)
      return proceed()
    }
    let run = run
    let number = gate.hold { failure in
      queue.async {
        guard self.run == run, self.isRunning, case .hold? = self.steps.first else { return }
        self.leaveGate()
        self.steps.removeFirst()
        if let failure { self.steps = [.fail(.make(failure, url: self.request.url))] }
        self.proceed()
      }
    }
    held = number.map { (gate, $0) }
    guard number != nil, request.timeoutInterval > 0 else { return }
    after(request.timeoutInterval) { loader in
      loader.leaveGate()
      loader.steps = [.fail(.make(NSURLErrorTimedOut, url: loader.request.url))]
    }
  }

  private func leaveGate() {
    if let (gate, number) = held { gate.forget(number) }
    held = nil
    timer?.cancel()
    waits += 1
  }

  /// Calls a closure on the task's queue after some time and goes on, unless the task was stopped or went on meanwhile.
  private func after(_ seconds: Double, isReal: Bool = false, _ next: @escaping @Sendable (Loader) -> Void) {
    guard let queue else {
      fail(NSURLErrorUnknown, Self.noQueue)
      return proceed()
    }
    waits += 1
    let (run, waits) = (run, waits)
    let act: @Sendable () -> Void = {
      guard self.run == run, self.waits == waits, self.isRunning, !self.steps.isEmpty else { return }
      next(self)
      self.proceed()
    }
    let seconds = min(max(0, seconds), 86_400)
    guard !isReal, let clock = flight?.clock else {
      queue.asyncAfter(deadline: .now() + seconds, execute: act)
      return
    }
    timer = Task {
      do { try await clock.sleep(for: .seconds(seconds)) } catch { return }
      queue.async(execute: act)
    }
  }

  /// Tells whether the content is known now; if not, `proceed` is called once it is.
  private func readContent() -> Bool {
    // Apple's loading system does not guarantee that a protocol has a task.
    if let task, isDownload(task) {
      fail(NSURLErrorUnsupportedURL, Self.noDownloads)
      return true
    }
    if let task, task is URLSessionWebSocketTask {
      let text = "\(Self.line(of: request)) is a WebSocket: \(Self.noWebSockets)"
      if case .player(let player)? = loading?.route?.destination { player.note(problem: text) }
      fail(NSURLErrorUnsupportedURL, text)
      return true
    }
    let request = request
    let content = SessionTask.content(of: task, request)
    if case .bytes(let bytes) = content {
      ask(request, bytes)
      return true
    }
    guard queue != nil else {
      fail(NSURLErrorUnknown, Self.noQueue)
      return true
    }
    isExpecting = true
    switch content {
    case .bytes: break
    case .file(let url):
      Self.readers.async { self.receive((try? Data(contentsOf: url)).map(Array.init), from: url.path) }
    case .stream(let stream): read(stream)
    case .asked(let delegate, let session):
      #if canImport(FoundationNetworking)
        // Asked where a delegate expects to be called.
        guard let task else { break }
        session.delegateQueue.addOperation {
          delegate.urlSession(session, task: task) { stream in
            if let stream { self.read(stream) } else { self.receive([], from: "") }
          }
        }
      #endif
    }
    return false
  }

  private func read(_ stream: InputStream) {
    nonisolated(unsafe) let stream = stream
    Self.readers.async { self.receive(SessionTask.bytes(of: stream), from: "its stream") }
  }

  private func receive(_ bytes: [UInt8]?, from source: String) {
    resume { loader in
      if let bytes {
        loader.steps = [.ask(loader.request, content: bytes)]
      } else {
        loader.fail(NSURLErrorRequestBodyStreamExhausted, "the request's body cannot be read from \(source)")
      }
    }
  }

  private func ask(_ request: URLRequest, _ content: [UInt8]) {
    guard let loading else { return }
    let route = loading.route
    let player: CassettePlayer
    switch route?.destination {
    case .player(let found): player = found
    case .closed(let closing):
      var message = "\(Self.line(of: request)) \(closing.reason): nothing answers it"
      let other = loading.sender.flatMap { closing.owner == nil || $0.id == closing.owner?.id ? nil : $0 }
      if let other { message += "; it was sent \(PlayingTest.words(for: other))" }
      closing.late?(message, other != nil)
      return fail(NSURLErrorResourceUnavailable, message)
    case nil:
      return fail(NSURLErrorResourceUnavailable, "\(Self.line(of: request)) belongs to no cassette: nothing answers it")
    }
    let mayLackCookies = flight != nil || player.hasKeptCookies.isSet || !type(of: loading).system.addsCookies
    if flight == nil {
      if let text = player.refusal(of: loading.sender, Self.line(of: request)) {
        return fail(NSURLErrorResourceUnavailable, text)
      }
      player.beginFlight()
      flight = player
    }
    let configuration = route?.configuration
    self.configuration = configuration
    let asked = mayLackCookies ? Cookies.adding(to: request, configuration) : request
    switch player.play(
      asked, content: content, defaults: configuration?.httpAdditionalHeaders, in: loading.context)
    {
    case .live(let call): listen(to: call, of: player, for: request, content: content)
    case .result(let result):
      steps = result.delay > 0 ? [.wait(result.delay)] : []
      if let gate = result.gate { steps = [.hold(gate)] + steps }
      switch result.outcome {
      case .failure(let error):
        let otherwise = Step.fail(error)
        if let challenge = AuthenticationChallenge(error, url: request.url) {
          steps.append(
            .challenge(
              Challenged(
                challenge: challenge, request: request, content: content, response: nil, error: error,
                otherwise: [otherwise])))
        } else {
          steps.append(otherwise)
        }
      case .response(let delivery):
        let response = delivery.response
        if result.setsCookies { keepCookies(of: response) }
        if let whole = delivery.whole, result.delay <= 0, result.gate == nil {
          return deliver(whole, of: response, to: loading)
        }
        // A redirect that breaks off is an answer that broke off: nobody follows it.
        if delivery.brokenOff == nil, let next = Redirect.next(after: response, to: request) {
          steps.append(.redirect(next.0, content: next.keepsBody ? content : [], instead: delivery))
        } else if let challenge = AuthenticationChallenge(response) {
          steps.append(
            .challenge(
              Challenged(
                challenge: challenge, request: request, content: content, response: response, error: nil,
                otherwise: steps(of: delivery))))
        } else {
          deliver(delivery)
        }
      }
    }
  }

  /// Keeps the cookies that a response sets.
  func keepCookies(of response: HTTPURLResponse) {
    if Cookies.store(response, configuration) { flight?.hasKeptCookies.set() }
  }

  private func isDownload(_ task: URLSessionTask) -> Bool {
    #if canImport(FoundationNetworking)
      task is URLSessionDownloadTask
    #else
      false
    #endif
  }

  static func line(of request: URLRequest) -> String {
    "\(request.httpMethod ?? "GET") \(SecretNames.masked(url: request.url?.absoluteString ?? ""))"
  }

  private static let noDownloads =
    "download tasks cannot be answered inside the process on this platform: use withMockServer(cassettes:), "
    + "which serves the same cassettes on a port, or a data task"
  private static let noWebSockets =
    "sessions of cassettes do not answer it. mockserver record and mockserver proxy pass it through to a server, see the "
    + "page RecordingTraffic of MockServerKit"
  static let noQueue =
    "this version of Foundation keeps a task's queue where it is not found, and an answer with a delay or a streamed "
    + "body needs it: use withMockServer(cassettes:)"
}
