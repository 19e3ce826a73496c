internal import CassetteSystem
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends requests to the network without cookies, cache and credentials; redirects and challenges are treated as
/// responses.
///
/// Uses a delegate, because otherwise the library would follow redirects and handle the challenge of a 401 response.
final class LiveSession: NSObject, URLSessionDataDelegate, Sendable {
  private struct State: ~Copyable {
    var session: URLSession?
    var calls: [Int: LiveCall] = [:]
    var isOver = false
  }

  private let state = Locked(State())
  /// Tasks are created on this queue: creating one where the library calls a protocol would crash the process.
  private let queue = DispatchQueue(label: "CassetteSession.live")

  /// Sends a request; the call receives the events of its response.
  func send(_ call: LiveCall) {
    queue.async {
      guard let session = self.session else { return call.finish(URLError(.cancelled)) }
      let task = session.dataTask(with: call.request)
      self.state.withLock { $0.calls[task.taskIdentifier] = call }
      if call.carries(task) { task.resume() } else { task.cancel() }
    }
  }

  /// Cancels all calls; later calls fail.
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
      // On Linux, the challenge follows the complete response, and the library does not deliver the response whatever
      // the disposition is: the response received so far is used, and the task is cancelled.
      let call = state.withLock { $0.calls.removeValue(forKey: task.taskIdentifier) }
      call?.finish(nil)
      completionHandler(.cancelAuthenticationChallenge, nil)
    #else
      // Without credentials, the library delivers the response.
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
