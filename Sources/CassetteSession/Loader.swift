internal import CassetteSecrets
internal import CassetteSystem
import Cassettes
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Passes the request of one task to its player, and delivers the answer to the task.
///
/// Follows redirects itself, with a separate lookup for each request, and keeps the remaining steps while the task is
/// suspended.
///
/// `@unchecked Sendable`: all properties are accessed only on the task's work queue, which the compiler cannot verify.
final class Loader: @unchecked Sendable {
  /// A remaining step; steps are kept while the task is suspended.
  enum Step: Sendable {
    case ask(URLRequest, content: [UInt8])
    /// Waits for a number of seconds, on the player's clock or in real time.
    case wait(Double, isReal: Bool = false)
    case hold(CassetteGate)
    case redirect(URLRequest, content: [UInt8], instead: Delivery)
    case head(HTTPURLResponse)
    case data(Data)
    case finish
    case fail(URLError)
  }

  var steps: ArraySlice<Step> = []
  /// True after the body of the request was requested.
  private var hasBegun = false
  /// Incremented by every start and stop, to ignore the timers of earlier runs.
  private var run = 0
  /// The number of waits so far, to ignore the timers of earlier waits.
  private var waits = 0
  /// The task that sleeps on the player's clock.
  private var timer: Task<Void, Never>?
  /// The gate that holds the answer, and the number of the answer in the gate.
  private var held: (gate: CassetteGate, number: Int)?
  /// True if a callback is pending that suspending the task does not stop.
  var isExpecting = false
  var redirects = 0
  /// The current call to the network, in a mode that records.
  var live: LiveCall?
  var received: LiveAnswer = .awaited
  var keptBody: [UInt8] = []

  /// The state of the response to a network call.
  enum LiveAnswer {
    case awaited
    /// The response is kept until it is complete: a redirect is not delivered, and a task that collects its data
    /// receives it at once.
    case kept(HTTPURLResponse, next: (URLRequest, keepsBody: Bool)?)
    /// The response is delivered as it arrives.
    case passing
  }
  /// The player, from the first request to the end of the last, to detect concurrent tasks.
  private var flight: CassettePlayer?

  private static let readers = DispatchQueue(label: "CassetteURLProtocol.readers", attributes: .concurrent)

  let request: URLRequest
  /// The only queue on which the client may be called; read on first use, while the protocol has a task.
  lazy var queue: DispatchQueue? = loading?.queue
  /// The configuration with the task's cookies.
  ///
  /// If tests share a session, each test has a separate configuration.
  var configuration: URLSessionConfiguration?
  /// The protocol that calls the client; nil while the client must not be called.
  private(set) var loading: CassetteURLProtocol?

  init(_ request: URLRequest) { self.request = request }

  deinit {
    timer?.cancel()
    live?.cancel()
    flight?.endFlight()
  }

  var task: URLSessionTask? { loading?.task }
  /// True if the client collects the parts of a body for every kind of task.
  var collectsPieces: Bool { loading.map { type(of: $0).system.collectsPieces } ?? false }
  private var isRunning: Bool { loading != nil }

  /// Starts the request, or continues a stopped one.
  func start(for loading: CassetteURLProtocol) {
    run += 1
    self.loading = loading
    if !isExpecting { proceed() }
  }

  /// Stops calling the client, which may be deallocated afterwards.
  func stop() {
    run += 1
    loading = nil
    leaveGate()
  }

  func proceed() {
    // The task is being cancelled: the library will fail the task, and finishing the task before that would crash the
    // process.
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

  /// Runs a closure that replaces the first step, and continues.
  ///
  /// May be called on any queue.
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

  /// Waits until a test opens a gate, or the request times out on the test's clock.
  ///
  /// Real time does not count: on a busy machine, a test may hold an answer for longer than the timeout of its request.
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
    guard number != nil, request.timeoutInterval > 0, flight?.clock != nil else { return }
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

  /// Waits, calls a closure on the task's queue, and continues, unless the task was stopped or continued in the
  /// meantime.
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

  /// Returns true if the body is known; otherwise `proceed` is called after it was read.
  private func readContent() -> Bool {
    // Apple's loading system does not guarantee that a protocol has a task.
    if let task, isDownload(task) {
      fail(NSURLErrorUnsupportedURL, Self.noDownloads)
      return true
    }
    if let task, task is URLSessionWebSocketTask {
      let text = "\(Self.line(of: request)) opens a WebSocket, \(Self.noWebSockets)"
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
        // The delegate is called on its own queue.
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
      var message = "\(Self.line(of: request)) \(closing.reason): it cannot be answered"
      let other = loading.sender.flatMap { closing.owner == nil || $0.id == closing.owner?.id ? nil : $0 }
      if let other { message += "; it was sent \(PlayingTest.words(for: other))" }
      closing.late?(message, other != nil)
      return fail(NSURLErrorResourceUnavailable, message)
    case nil:
      return fail(
        NSURLErrorResourceUnavailable,
        "\(Self.line(of: request)) was sent through a session without a cassette: it cannot be answered")
    }
    let mayLackCookies = flight != nil || player.hasKeptCookies.isSet || !type(of: loading).system.addsCookies
    if flight == nil {
      if let text = player.refusal(of: loading.sender, request) {
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
      case .failure(let error): steps.append(.fail(error))
      case .response(let delivery):
        let response = delivery.response
        if result.setsCookies { keepCookies(of: response) }
        if let whole = delivery.whole, result.delay <= 0, result.gate == nil {
          return deliver(whole, of: response, to: loading)
        }
        // An incomplete redirect is an incomplete response, which is not followed.
        if delivery.brokenOff == nil, let next = Redirect.next(after: response, to: request) {
          steps.append(.redirect(next.0, content: next.keepsBody ? content : [], instead: delivery))
        } else {
          deliver(delivery)
        }
      }
    }
  }

  /// Stores the cookies that a response sets.
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
    "which sessions of cassettes cannot answer. mockserver record and mockserver proxy pass it through to a server, see "
    + "the page RecordingTraffic of MockServerKit"
  static let noQueue =
    "this version of Foundation hides the queue of a task, which responses with a delay or a streamed body need: use "
    + "withMockServer(cassettes:)"
}

extension Loader {
  typealias Delivery = ExchangeResult.Delivery

  /// Adds the delivery of an answer to the remaining steps.
  func deliver(_ delivery: Delivery) { steps += steps(of: delivery) }

  /// Delivers a complete answer immediately; using steps for it would take a thirtieth of the time of an exchange.
  func deliver(_ whole: Data, of response: HTTPURLResponse, to loading: CassetteURLProtocol) {
    let client = loading.client
    client?.urlProtocol(loading, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(loading, didLoad: whole)
    end()
    client?.urlProtocolDidFinishLoading(loading)
  }

  /// Returns the steps that deliver an answer.
  func steps(of delivery: Delivery) -> [Step] {
    let pieces = delivery.pieces
    let end = delivery.brokenOff.map { Step.fail(.make($0, url: delivery.response.url)) } ?? .finish
    let takesPieces = pieces.count < 2 || task.map { SessionTask.takesPieces($0) } ?? collectsPieces
    var steps: [Step] = [.head(delivery.response)]
    if takesPieces {
      for piece in pieces {
        if piece.after > 0 { steps.append(.wait(piece.after)) }
        if !piece.data.isEmpty { steps.append(.data(piece.data)) }
      }
    } else {
      for piece in pieces where piece.after > 0 { steps.append(.wait(piece.after)) }
      steps.append(.data(Data(pieces.flatMap(\.data))))
    }
    steps.append(end)
    return steps
  }
}

extension Loader {
  /// Sends a request to the network, and adds the events of its response to the steps.
  func listen(to call: LiveCall, of player: CassettePlayer, for request: URLRequest, content: [UInt8]) {
    guard let queue else { return fail(NSURLErrorUnknown, Self.noQueue) }
    let takesPieces = task.map { SessionTask.takesPieces($0) } ?? collectsPieces
    steps = []
    live = call
    received = .awaited
    keptBody = []
    call.begin { [weak self] event in
      let loader = self
      queue.async { loader?.hear(event, request, content, takesPieces) }
    }
    player.send(call)
  }

  private func hear(_ event: LiveCall.Event, _ request: URLRequest, _ content: [UInt8], _ takesPieces: Bool) {
    switch (event, received) {
    case (.head(let response), _):
      keepCookies(of: response)
      let next = Redirect.next(after: response, to: request)
      if next == nil, takesPieces {
        received = .passing
        steps.append(.head(response))
      } else {
        received = .kept(response, next: next)
      }
    case (.data(let bytes), .passing): steps.append(.data(Data(bytes)))
    case (.data(let bytes), _): keptBody += bytes
    case (.end(let error), .kept(let response, let next)):
      live = nil
      let pieces = keptBody.isEmpty ? [] : [ExchangeResult.Piece(data: Data(keptBody))]
      let delivery = Delivery(response, pieces, brokenOff: error == nil ? nil : URLError.brokenOff)
      keptBody = []
      if let next, error == nil {
        steps.append(.redirect(next.0, content: next.keepsBody ? content : [], instead: delivery))
      } else {
        deliver(delivery)
      }
    case (.end(let error), _):
      live = nil
      steps.append(error.map(Step.fail) ?? .finish)
    }
    proceed()
  }
}
