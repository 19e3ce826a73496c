import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The direction and storage of transferred content.
enum Way: Sendable {
  case data
  case upload(Data)
  case uploadFile(URL)
  case download(PartialFile)
}

/// A task in progress.
private struct Job: Sendable {
  var exchange: Exchange
  let file: PartialFile?
  let progress: TransferProgress.Handler?
  let listeners: Listeners
  let done: CheckedContinuation<Exchange, Never>
  let begun = ContinuousClock.now
  var handle: FileHandle?
  var isRefused = false
  var received: Int64 = 0
  var total: Int64?

  /// Handles the head of the response.
  ///
  /// Throws an error if the file for the content cannot be opened.
  mutating func receive(_ response: URLResponse) throws {
    exchange.response = response as? HTTPURLResponse
    guard let file, let response = exchange.response else { return }
    (handle, received) = try file.open(for: response)
    total = response.expectedContentLength < 0 ? nil : received + response.expectedContentLength
  }

  /// Handles a part of the content.
  ///
  /// Throws an error if it cannot be stored.
  mutating func receive(_ data: Data) throws {
    received += Int64(data.count)
    if let handle { try handle.write(contentsOf: data) } else { exchange.data += data }
  }
}

/// The delegate of the session, which runs its tasks and forwards progress, challenges and metrics to other delegates.
final class Transport: NSObject, Sendable {
  private let jobs = Locked<[Int: Job]>([:])
  private let trust: Trust
  private let sessionDelegate: (any URLSessionDelegate)?

  init(_ trust: Trust, _ sessionDelegate: (any URLSessionDelegate)?) {
    (self.trust, self.sessionDelegate) = (trust, sessionDelegate)
  }

  #if !canImport(FoundationNetworking)
    // Methods that this class does not implement are forwarded to the user's delegate, such as waiting for
    // connectivity.
    override func responds(to selector: Selector?) -> Bool {
      super.responds(to: selector) || selector.map { sessionDelegate?.responds(to: $0) ?? false } ?? false
    }
    override func forwardingTarget(for selector: Selector?) -> Any? { sessionDelegate }
  #endif

  /// Runs a task until it completes, fails or is cancelled.
  func load(
    _ request: URLRequest, _ way: Way, in session: URLSession, _ secrets: Secrets,
    _ progress: TransferProgress.Handler?, _ delegate: (any URLSessionTaskDelegate)?
  ) async -> Exchange {
    let file: PartialFile? = if case .download(let file) = way { file } else { nil }
    let request = file?.asking(request) ?? request
    let task: URLSessionTask =
      switch way {
      case .upload(let data): session.uploadTask(with: request, from: data)
      case .uploadFile(let file): session.uploadTask(with: request, fromFile: file)
      case .data, .download: session.dataTask(with: request)
      }
    let exchange = Exchange(request: request, task: task, secrets: secrets)
    let listeners = Listeners(task: delegate, session: sessionDelegate)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        jobs.withLock {
          $0[task.taskIdentifier] = Job(
            exchange: exchange, file: file, progress: progress, listeners: listeners, done: done)
        }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Updates the job of a task; returns false if the update throws an error.
  private func take(_ task: URLSessionTask, _ step: (inout Job?) throws -> Void) -> Bool {
    jobs.withLock { jobs in
      do { try step(&jobs[task.taskIdentifier]) } catch {
        jobs[task.taskIdentifier]?.exchange.error = error
        return false
      }
      return true
    }
  }

  private func listeners(of task: URLSessionTask) -> Listeners? {
    jobs.withLock { $0[task.taskIdentifier]?.listeners }
  }
}

extension Transport: URLSessionDataDelegate {
  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    #if canImport(FoundationNetworking)
      sessionDelegate?.urlSession(session, didBecomeInvalidWithError: error)
    #else
      sessionDelegate?.urlSession?(session, didBecomeInvalidWithError: error)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard take(dataTask, { try $0?.receive(response) }) else { return completionHandler(.cancel) }
    let isAsked = listeners(of: dataTask)?.askData {
      $0.disposes(session, dataTask, response) { [self] disposition in
        // On Linux the session ignores the disposition.
        if disposition == .cancel {
          _ = take(dataTask) { _ in throw URLError(.cancelled) }
          dataTask.cancel()
        }
        completionHandler(disposition)
      }
    }
    if isAsked != true { completionHandler(.allow) }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard take(dataTask, { try $0?.receive(data) }) else { return dataTask.cancel() }
    // The lock must not be held, because the delegate may call the client.
    guard let job = jobs.withLock({ $0[dataTask.taskIdentifier] }) else { return }
    job.listeners.tellData { $0.received(session, dataTask, data) }
    if job.handle != nil { job.progress?(TransferProgress(completed: job.received, total: job.total)) }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
    completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    let isAsked = listeners(of: dataTask)?.askData { $0.caches(session, dataTask, proposed, completionHandler) }
    if isAsked != true { completionHandler(proposed) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    let total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
    guard let job = jobs.withLock({ $0[task.taskIdentifier] }) else { return }
    job.progress?(TransferProgress(completed: totalBytesSent, total: total))
    job.listeners.tell { $0.sent(session, task, bytesSent, totalBytesSent, totalBytesExpectedToSend) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    var request = request
    // Credentials must not be sent to another origin (RFC 9110 §15.4), and not every platform removes them.
    if let from = response.url, let to = request.url, !from.hasSameOrigin(as: to) {
      let secrets = jobs.withLock { $0[task.taskIdentifier]?.exchange.secrets } ?? Secrets()
      for name in (request.allHTTPHeaderFields ?? [:]).keys where secrets.contains(name) {
        request.setValue(nil, forHTTPHeaderField: name)
      }
    }
    #if canImport(FoundationNetworking)
      // The content must be sent again (RFC 9110 §15.4.8), but this platform drops it. Returning the redirect is better
      // than sending an incomplete request.
      let hasContent = task is URLSessionUploadTask || task.originalRequest?.httpBody != nil
      if [307, 308].contains(response.statusCode), hasContent { return completionHandler(nil) }
    #endif
    let isAsked = listeners(of: task)?.ask { [request] in
      $0.redirects(session, task, response, request, completionHandler)
    }
    if isAsked != true { completionHandler(request) }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    let isAsked = listeners(of: task)?.ask {
      $0.challenges(session, task, challenge) { [self] disposition, credential in
        guard disposition == .performDefaultHandling else { return completionHandler(disposition, credential) }
        answer(challenge, of: task, completionHandler)
      }
    }
    if isAsked != true { answer(challenge, of: task, completionHandler) }
  }

  private func answer(
    _ challenge: URLAuthenticationChallenge, of task: URLSessionTask,
    _ completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // Without credentials this platform waits forever. The rejection becomes the response, and the task is cancelled.
      jobs.withLock { jobs in
        jobs[task.taskIdentifier]?.isRefused = true
        jobs[task.taskIdentifier]?.exchange.response = challenge.failureResponse as? HTTPURLResponse
      }
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      let (disposition, credential) = trust.answer(to: challenge)
      completionHandler(disposition, credential)
    #endif
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
    jobs.withLock { $0[task.taskIdentifier]?.exchange.metrics = metrics }
    listeners(of: task)?.tell { $0.collected(session, task, metrics) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard var job = jobs.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    try? job.handle?.close()
    if !job.isRefused { job.exchange.error = job.exchange.error ?? error }
    job.exchange.duration = .now - job.begun
    job.listeners.tell { $0.completed(session, task, error) }
    job.done.resume(returning: job.exchange)
  }
}
