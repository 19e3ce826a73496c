internal import CassetteSystem
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests to the network as they are: no cookies, no cache, no credentials, redirects and challenges as answers.
///
/// It is driven by a delegate because nothing else sees a redirect, or a 401 that the library would ask a password for.
final class LiveSession: NSObject, URLSessionDataDelegate, Sendable {
  private struct State {
    var session: URLSession?
    var calls: [Int: LiveCall] = [:]
    var isOver = false
  }

  private let state = Locked(State())
  /// Tasks are made here: where the library calls a protocol, making one ends the process.
  private let queue = DispatchQueue(label: "CassetteSession.live")

  /// Sends a request; the call is told what comes back.
  func send(_ call: LiveCall) {
    queue.async {
      guard let session = self.session else { return call.finish(URLError(.cancelled)) }
      let task = session.dataTask(with: call.request)
      self.state.withLock { $0.calls[task.taskIdentifier] = call }
      if call.carries(task) { task.resume() } else { task.cancel() }
    }
  }

  /// Cancels what is on its way, and sends nothing any more.
  func end() {
    let (session, calls) = state.withLock { state in
      state.isOver = true
      defer {
        state.session = nil
        state.calls = [:]
      }
      return (state.session, Array(state.calls.values))
    }
    for call in calls { call.cancel() }
    queue.async { session?.invalidateAndCancel() }
  }

  private var session: URLSession? {
    state.withLock { state in
      if state.isOver { return nil }
      if let session = state.session { return session }
      let configuration = URLSessionConfiguration.ephemeral
      configuration.httpCookieStorage = nil
      configuration.httpShouldSetCookies = false
      configuration.httpCookieAcceptPolicy = .never
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
      configuration.httpMaximumConnectionsPerHost = 32
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = 1
      let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
      state.session = session
      return session
    }
  }

  private func call(of task: URLSessionTask) -> LiveCall? { state.withLock { $0.calls[task.taskIdentifier] } }

  // MARK: URLSessionDataDelegate

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    #if canImport(FoundationNetworking)
      // The question comes after the whole answer, and whatever is said to it, the answer is not handed on: it is taken as
      // it is, and the task given up.
      let call = state.withLock { $0.calls.removeValue(forKey: task.taskIdentifier) }
      call?.finish(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      // Without credentials to answer it with, the library hands the answer on.
      completionHandler(.performDefaultHandling, nil)
    #endif
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse { call(of: dataTask)?.receive(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    call(of: dataTask)?.receive(data)
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let call = state.withLock { $0.calls.removeValue(forKey: task.taskIdentifier) }
    call?.finish(error)
  }
}
