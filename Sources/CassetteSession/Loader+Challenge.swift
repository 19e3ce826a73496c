import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Loader {
  /// A challenge with its request, its content, and the steps to perform if the delegate does not answer it.
  struct Challenged: Sendable {
    let challenge: AuthenticationChallenge
    let request: URLRequest
    let content: [UInt8]
    let response: HTTPURLResponse?
    let error: URLError?
    /// The steps to perform if the delegate does not answer the challenge.
    let otherwise: [Step]
  }

  /// The number of times that a delegate is asked for credentials before the refusal is delivered.
  private static let mostChallenges = 32

  /// Returns true if the challenge is settled; otherwise `proceed` is called after the delegate has answered.
  func settle(_ challenged: Challenged) -> Bool {
    let isTrust = challenged.error != nil
    // If a trusted server fails again, the delegate is not asked again.
    guard challenges < (isTrust ? 1 : Self.mostChallenges) else {
      steps = challenged.otherwise[...]
      return true
    }
    #if canImport(FoundationNetworking)
      guard let task, let session = SessionTask.session(of: task), queue != nil else {
        steps = challenged.otherwise[...]
        return true
      }
      let own = SessionTask.delegate(of: task, in: session)
      // Challenges of server trust are sent to the session's delegate (`URLSessionDelegate`) first, then to the task's.
      let wide = isTrust ? session.delegate : nil
      guard own != nil || wide != nil else {
        steps = challenged.otherwise[...]
        return true
      }
      let made = challenged.challenge.made(failures: challenges, response: challenged.response, error: challenged.error)
      isExpecting = true
      session.delegateQueue.addOperation {
        let ask: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { disposition, credential in
          if disposition == .performDefaultHandling, wide != nil, let own {
            own.urlSession(session, task: task, didReceive: made) { self.follow($0, $1, challenged) }
          } else {
            self.follow(disposition, credential, challenged)
          }
        }
        if let wide {
          wide.urlSession(session, didReceive: made, completionHandler: ask)
        } else {
          own?.urlSession(session, task: task, didReceive: made) { self.follow($0, $1, challenged) }
        }
      }
      return false
    #else
      // The loading system would answer a challenge with credentials from its own storage, so the recorded response is
      // delivered.
      steps = challenged.otherwise[...]
      return true
    #endif
  }

  #if canImport(FoundationNetworking)
    /// Applies the answer of the delegate.
    private func follow(
      _ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?, _ challenged: Challenged
    ) {
      let value = credential.flatMap { AuthenticationChallenge.basic($0) }
      resume { loader in
        switch disposition {
        case .useCredential:
          var request = challenged.request
          if let field = challenged.challenge.field {
            guard let value else {
              loader.steps = challenged.otherwise[...]
              return
            }
            request.setValue(value, forHTTPHeaderField: field)
          }
          loader.challenges += 1
          loader.steps = [.ask(request, content: challenged.content)]
        case .cancelAuthenticationChallenge:
          // As without a cassette, the refusal has been delivered when the delegate is asked.
          let refusal = challenged.otherwise.filter { step in
            switch step {
            case .head, .data, .wait: true
            default: false
            }
          }
          loader.steps = refusal[...] + [.fail(.make(NSURLErrorCancelled, url: challenged.request.url))]
        case .performDefaultHandling, .rejectProtectionSpace: loader.steps = challenged.otherwise[...]
        }
      }
    }
  #endif
}
