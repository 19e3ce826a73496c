import CassetteFoundation
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Loader {
  /// Tells whether the redirect is settled now; if not, `proceed` is called once the delegate has said what it wants.
  func redirect(to next: URLRequest, content: [UInt8], instead delivery: Delivery) -> Bool {
    redirects += 1
    guard redirects <= Redirect.limit else {
      fail(NSURLErrorHTTPTooManyRedirects, "\(Self.line(of: request)) was redirected more than \(Redirect.limit) times")
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
      // The loading system asks the delegate and starts over with what it wants.
      let loading = loading
      var next = next
      if !content.isEmpty { next.httpBody = Data(content) }
      if let loading {
        loading.client?.urlProtocol(loading, wasRedirectedTo: next, redirectResponse: delivery.response)
      }
      // For a delegate that follows nowhere; where it does, this is of nobody's interest.
      steps = steps(of: delivery)[...]
      return true
    #endif
  }
}
