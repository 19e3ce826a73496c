import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Loader {
  /// Returns true if the redirect is settled; otherwise `proceed` is called after the delegate has answered.
  func redirect(to next: URLRequest, content: [UInt8], instead delivery: Delivery) -> Bool {
    redirects += 1
    guard redirects <= Redirect.limit else {
      fail(NSURLErrorHTTPTooManyRedirects, "\(Self.line(of: request)) was redirected more than \(Redirect.limit) times")
      return true
    }
    if let loading, type(of: loading).system.followsRedirects {
      announce(next, content, instead: delivery, by: loading)
      return true
    }
    #if canImport(FoundationNetworking)
      guard let task, let session = SessionTask.session(of: task),
        let delegate = SessionTask.delegate(of: task, in: session), queue != nil
      else {
        steps = [.ask(next, content: content)]
        return true
      }
      isExpecting = true
      session.delegateQueue.addOperation {
        delegate.urlSession(
          session, task: task, willPerformHTTPRedirection: delivery.response, newRequest: next
        ) { wanted in
          self.resume { loader in
            loader.steps = []
            if let wanted { loader.steps = [.ask(wanted, content: content)] } else { loader.deliver(delivery) }
          }
        }
      }
      return false
    #else
      steps = [.ask(next, content: content)]
      return true
    #endif
  }

  /// Reports a redirect to a client that follows redirects, or delivers the recorded response to a client that does
  /// not.
  ///
  /// A client that follows the redirect stops this protocol and starts another one for the next request. Nothing
  /// reports that the delegate has declined the redirect, so the response is delivered if the client has not stopped
  /// the protocol after a moment.
  private func announce(
    _ next: URLRequest, _ content: [UInt8], instead delivery: Delivery, by loading: CassetteURLProtocol
  ) {
    var next = next
    if !content.isEmpty { next.httpBody = Data(content) }
    steps = ([.wait(Self.decisionTime, isReal: true)] + steps(of: delivery))[...]
    loading.client?.urlProtocol(loading, wasRedirectedTo: next, redirectResponse: delivery.response)
  }

  /// The seconds to wait for a client to stop a protocol whose redirect it follows.
  static let decisionTime = 0.1
}
