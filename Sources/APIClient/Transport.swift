import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Runs the tasks of a session, whose one delegate sees progress, challenges and metrics of all.
struct Transport: Sendable {
  /// How content travels.
  enum Way: Sendable {
    case data
    case upload(Data)
    case uploadFile(URL)
    case download(PartialFile)
  }

  typealias Progress = @Sendable (TransferProgress) -> Void

  private let session: URLSession
  private let board: TaskBoard
  private let trust: Trust

  init(_ configuration: APIClient.Configuration) {
    trust = configuration.trust
    board = TaskBoard(trust)
    session = URLSession(
      configuration: configuration.session, delegate: board, delegateQueue: configuration.delegateQueue)
  }

  /// Lets go of the session, which keeps its delegate until then.
  func finish() { session.finishTasksAndInvalidate() }

  /// Runs a task to its end; a cancelled one ends with an error, too.
  func load(_ request: URLRequest, as way: Way, _ secrets: Secrets, _ progress: Progress?) async -> Exchange {
    if let obstacle = trust.obstacle {
      return Exchange(request: request, error: APIError.Reason.unsupported(obstacle))
    }
    var request = request
    if case .download(let file) = way { file.askForRest(&request) }
    let task =
      switch way {
      case .upload(let data): session.uploadTask(with: request, from: data)
      case .uploadFile(let file): session.uploadTask(with: request, fromFile: file)
      case .data, .download: session.dataTask(with: request)
      }
    let exchange = Exchange(request: request, task: task, secrets: secrets)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { board.start(task, Job(exchange, way, progress, $0)) }
    } onCancel: {
      task.cancel()
    }
  }
}

/// A task under way.
private struct Job: Sendable {
  var exchange: Exchange
  let progress: Transport.Progress?
  let done: CheckedContinuation<Exchange, Never>
  private let file: PartialFile?
  private let begun = ContinuousClock.now
  private var handle: FileHandle?
  private var isRefused = false
  private var received: Int64 = 0
  private var total: Int64?

  init(
    _ exchange: Exchange, _ way: Transport.Way, _ progress: Transport.Progress?,
    _ done: CheckedContinuation<Exchange, Never>
  ) {
    (self.exchange, self.progress, self.done) = (exchange, progress, done)
    if case .download(let file) = way { self.file = file } else { file = nil }
  }

  /// Takes the head of the answer; false when its content has no place to go.
  mutating func receive(_ response: URLResponse) -> Bool {
    exchange.response = response as? HTTPURLResponse
    guard let file, let response = exchange.response else { return true }
    do {
      (handle, received) = try file.open(for: response)
      total = response.expectedContentLength < 0 ? nil : received + response.expectedContentLength
      return true
    } catch {
      exchange.error = error
      return false
    }
  }

  /// Takes a piece of the content; false when it cannot be kept.
  mutating func receive(_ data: Data) -> Bool {
    received += Int64(data.count)
    do {
      if let handle { try handle.write(contentsOf: data) } else { exchange.data += data }
      return true
    } catch {
      exchange.error = error
      return false
    }
  }

  /// Tells how far a download is.
  var report: (() -> Void)? {
    guard handle != nil, let progress else { return nil }
    let state = TransferProgress(completed: received, total: total)
    return { progress(state) }
  }

  /// Takes a response that asks for a password for the answer.
  mutating func refuse(_ response: URLResponse?) {
    isRefused = true
    exchange.response = exchange.response ?? response as? HTTPURLResponse
  }

  mutating func end(_ error: (any Error)?) {
    try? handle?.close()
    if !isRefused { exchange.error = exchange.error ?? error }
    exchange.duration = .now - begun
  }
}

/// Tells each task's job what its session's delegate is told.
private final class TaskBoard: NSObject, URLSessionDataDelegate, Sendable {
  private let jobs = Mutex<[Int: Job]>([:])
  private let trust: Trust

  init(_ trust: Trust) { self.trust = trust }

  func start(_ task: URLSessionTask, _ job: Job) {
    jobs.withLock { $0[task.taskIdentifier] = job }
    task.resume()
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let goesOn = jobs.withLock { $0[dataTask.taskIdentifier]?.receive(response) } ?? false
    completionHandler(goesOn ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let goesOn = jobs.withLock { $0[dataTask.taskIdentifier]?.receive(data) } ?? false
    if !goesOn { return dataTask.cancel() }
    // Not under the lock: who is told may want to ask something.
    jobs.withLock { $0[dataTask.taskIdentifier]?.report }?()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    let progress = jobs.withLock { $0[task.taskIdentifier]?.progress }
    let total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
    progress?(TransferProgress(completed: totalBytesSent, total: total))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    var request = request
    // RFC 9110 §15.4: what is secret to one origin is not told to another; not every platform sees to that.
    if let from = response.url, let to = request.url, !from.hasSameOrigin(as: to) {
      let secrets = jobs.withLock { $0[task.taskIdentifier]?.exchange.secrets } ?? Secrets()
      for name in (request.allHTTPHeaderFields ?? [:]).keys where secrets.contains(name) {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    #if canImport(FoundationNetworking)
      // RFC 9110 §15.4.8: the content goes along, which this platform forgets. Better no answer than to half a request.
      let hasContent = task is URLSessionUploadTask || task.originalRequest?.httpBody != nil
      if [307, 308].contains(response.statusCode), hasContent { return completionHandler(nil) }
    #endif
    completionHandler(request)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // This platform waits forever where nobody has a password: the refusal is the answer, and its task is called off.
      jobs.withLock { $0[task.taskIdentifier]?.refuse(challenge.failureResponse) }
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      let (disposition, credential) = trust.answer(to: challenge)
      completionHandler(disposition, credential)
    #endif
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    jobs.withLock { $0[task.taskIdentifier]?.exchange.metrics = metrics }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard var job = jobs.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    job.end(error)
    job.done.resume(returning: job.exchange)
  }
}
