import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The delegates of a task in addition to the client: that of the task and that of the session.
///
/// Both are notified of events. Questions are passed to the first delegate that implements the method.
struct Listeners: Sendable {
  var task: (any URLSessionTaskDelegate)?
  var session: (any URLSessionDelegate)?

  func tell(_ event: (any URLSessionTaskDelegate) -> Void) {
    if let task { event(task) }
    if let other = session as? any URLSessionTaskDelegate { event(other) }
  }

  func tellData(_ event: (any URLSessionDataDelegate) -> Void) {
    tell { if let delegate = $0 as? any URLSessionDataDelegate { event(delegate) } }
  }

  /// Passes a question to the delegates in order; returns true if one of them will answer it.
  func ask(_ question: (any URLSessionTaskDelegate) -> Bool) -> Bool {
    if let task, question(task) { return true }
    return (session as? any URLSessionTaskDelegate).map(question) ?? false
  }

  /// Passes a question about data to the delegates in order.
  func askData(_ question: (any URLSessionDataDelegate) -> Bool) -> Bool {
    ask { ($0 as? any URLSessionDataDelegate).map(question) ?? false }
  }
}

#if canImport(FoundationNetworking)
  // On this platform each method has a default implementation, which behaves as if there were no delegate.

  extension URLSessionTaskDelegate {
    func collected(_ session: URLSession, _ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
      urlSession(session, task: task, didFinishCollecting: metrics)
    }
    func completed(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
      urlSession(session, task: task, didCompleteWithError: error)
    }
    func sent(_ session: URLSession, _ task: URLSessionTask, _ bytes: Int64, _ total: Int64, _ expected: Int64) {
      urlSession(
        session, task: task, didSendBodyData: bytes, totalBytesSent: total, totalBytesExpectedToSend: expected)
    }
    func redirects(
      _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
      _ answer: @escaping @Sendable (URLRequest?) -> Void
    ) -> Bool {
      urlSession(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
      return true
    }
    func challenges(
      _ session: URLSession, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
      _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Bool {
      urlSession(session, task: task, didReceive: challenge, completionHandler: answer)
      return true
    }
  }

  extension URLSessionDataDelegate {
    func received(_ session: URLSession, _ task: URLSessionDataTask, _ data: Data) {
      urlSession(session, dataTask: task, didReceive: data)
    }
    func disposes(
      _ session: URLSession, _ task: URLSessionDataTask, _ response: URLResponse,
      _ answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) -> Bool {
      urlSession(session, dataTask: task, didReceive: response, completionHandler: answer)
      return true
    }
    func caches(
      _ session: URLSession, _ task: URLSessionDataTask, _ response: CachedURLResponse,
      _ answer: @escaping @Sendable (CachedURLResponse?) -> Void
    ) -> Bool {
      urlSession(session, dataTask: task, willCacheResponse: response, completionHandler: answer)
      return true
    }
  }
#else
  extension URLSessionTaskDelegate {
    func collected(_ session: URLSession, _ task: URLSessionTask, _ metrics: URLSessionTaskMetrics) {
      urlSession?(session, task: task, didFinishCollecting: metrics)
    }
    func completed(_ session: URLSession, _ task: URLSessionTask, _ error: (any Error)?) {
      urlSession?(session, task: task, didCompleteWithError: error)
    }
    func sent(_ session: URLSession, _ task: URLSessionTask, _ bytes: Int64, _ total: Int64, _ expected: Int64) {
      urlSession?(
        session, task: task, didSendBodyData: bytes, totalBytesSent: total, totalBytesExpectedToSend: expected)
    }
    func redirects(
      _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
      _ answer: @escaping @Sendable (URLRequest?) -> Void
    ) -> Bool {
      urlSession?(
        session, task: task, willPerformHTTPRedirection: response, newRequest: request, completionHandler: answer)
        != nil
    }
    func challenges(
      _ session: URLSession, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
      _ answer: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) -> Bool {
      urlSession?(session, task: task, didReceive: challenge, completionHandler: answer) != nil
        || urlSession?(session, didReceive: challenge, completionHandler: answer) != nil
    }
  }

  extension URLSessionDataDelegate {
    func received(_ session: URLSession, _ task: URLSessionDataTask, _ data: Data) {
      urlSession?(session, dataTask: task, didReceive: data)
    }
    func disposes(
      _ session: URLSession, _ task: URLSessionDataTask, _ response: URLResponse,
      _ answer: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) -> Bool {
      urlSession?(session, dataTask: task, didReceive: response, completionHandler: answer) != nil
    }
    func caches(
      _ session: URLSession, _ task: URLSessionDataTask, _ response: CachedURLResponse,
      _ answer: @escaping @Sendable (CachedURLResponse?) -> Void
    ) -> Bool {
      urlSession?(session, dataTask: task, willCacheResponse: response, completionHandler: answer) != nil
    }
  }
#endif
