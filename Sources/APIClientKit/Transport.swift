import Foundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// How content travels.
enum Way: Sendable {
  case data
  case upload(Data)
  case uploadFile(URL)
  case download(PartialFile)
}

/// A task under way.
private struct Job: Sendable {
  var exchange: Exchange
  let file: PartialFile?
  let progress: TransferProgress.Handler?
  let done: CheckedContinuation<Exchange, Never>
  let begun = ContinuousClock.now
  var handle: FileHandle?
  var isRefused = false
  var received: Int64 = 0
  var total: Int64?

  /// Takes the head of the answer; throws when its content has no place to go.
  mutating func receive(_ response: URLResponse) throws {
    exchange.response = response as? HTTPURLResponse
    guard let file, let response = exchange.response else { return }
    (handle, received) = try file.open(for: response)
    total = response.expectedContentLength < 0 ? nil : received + response.expectedContentLength
  }

  /// Takes a piece of the content; throws when it cannot be kept.
  mutating func receive(_ data: Data) throws {
    received += Int64(data.count)
    if let handle { try handle.write(contentsOf: data) } else { exchange.data += data }
  }
}

/// Runs the tasks of a session, as its one delegate: it sees progress, challenges and metrics of all.
final class Transport: NSObject, URLSessionDataDelegate, Sendable {
  private let jobs = Mutex<[Int: Job]>([:])
  private let trust: Trust

  init(_ trust: Trust) { self.trust = trust }

  /// Runs a task to its end; a cancelled one ends with an error, too.
  func load(
    _ request: URLRequest, as way: Way, in session: URLSession, _ secrets: Secrets,
    _ progress: TransferProgress.Handler?
  ) async -> Exchange {
    let file: PartialFile? = if case .download(let file) = way { file } else { nil }
    let request = file?.asking(request) ?? request
    let task =
      switch way {
      case .upload(let data): session.uploadTask(with: request, from: data)
      case .uploadFile(let file): session.uploadTask(with: request, fromFile: file)
      case .data, .download: session.dataTask(with: request)
      }
    let exchange = Exchange(request: request, task: task, secrets: secrets)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        jobs.withLock {
          $0[task.taskIdentifier] = Job(exchange: exchange, file: file, progress: progress, done: done)
        }
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }
  }

  /// Lets the job of a task take a step; false when that failed.
  private func take(_ task: URLSessionTask, _ step: (inout Job?) throws -> Void) -> Bool {
    jobs.withLock { jobs in
      do { try step(&jobs[task.taskIdentifier]) } catch {
        jobs[task.taskIdentifier]?.exchange.error = error
        return false
      }
      return true
    }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    completionHandler(take(dataTask) { try $0?.receive(response) } ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard take(dataTask, { try $0?.receive(data) }) else { return dataTask.cancel() }
    // Not under the lock: who is told may want to ask something.
    guard let job = jobs.withLock({ $0[dataTask.taskIdentifier] }), job.handle != nil else { return }
    job.progress?(TransferProgress(completed: job.received, total: job.total))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
    totalBytesExpectedToSend: Int64
  ) {
    let total = totalBytesExpectedToSend > 0 ? totalBytesExpectedToSend : nil
    jobs.withLock { $0[task.taskIdentifier]?.progress }?(TransferProgress(completed: totalBytesSent, total: total))
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
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard var job = jobs.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
    try? job.handle?.close()
    if !job.isRefused { job.exchange.error = job.exchange.error ?? error }
    job.exchange.duration = .now - job.begun
    job.done.resume(returning: job.exchange)
  }
}
