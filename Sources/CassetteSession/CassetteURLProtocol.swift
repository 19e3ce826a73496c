internal import CassetteSystem
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Hands a session's requests to its deck.
///
/// It claims every request, so that none reaches the network. Its class tells whose session it serves, as
/// ``SessionProtocolClasses`` knows.
class CassetteURLProtocol: URLProtocol {
  private lazy var loader = Loader(request)
  /// The test of the task that resumes the request, and its context; protocols are made on the thread of that task.
  let sender = PlayingTest.current
  let context = PlayingTest.current != nil && StubTable.hasClosures.isSet ? TaskContext() : nil

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override class func requestIsCacheEquivalent(_ first: URLRequest, to second: URLRequest) -> Bool { false }

  /// The loading system that calls the protocol.
  class var system: LoadingSystem { .current }
  /// The registry with the player of this class.
  class var classes: SessionProtocolClasses { .shared }

  /// The route of this protocol's request, with the cookies and header fields of the session.
  var route: SessionProtocolClasses.Route? {
    Self.classes.route(of: type(of: self), task: task?.taskIdentifier) {
      task.flatMap { SessionTask.session(of: $0) }
    }
  }

  #if canImport(FoundationNetworking)
    /// The only queue on which the client may be spoken to; nil when the library keeps it elsewhere by now.
    var queue: DispatchQueue? { task.flatMap { SessionTask.workQueue(of: $0) } }

    /// Begins or goes on: called on the task's work queue, and again each time the task was suspended and resumed.
    override func startLoading() { loader.start(for: self) }

    override func stopLoading() { loader.stop() }
  #else
    private let ownQueue = DispatchQueue(label: "CassetteURLProtocol")

    /// The queue on which the client is called.
    var queue: DispatchQueue? { ownQueue }

    override func startLoading() {
      let loader = loader
      nonisolated(unsafe) let loading = self
      queue?.async { loader.start(for: loading) }
    }

    override func stopLoading() {
      let loader = loader
      queue?.async { loader.stop() }
    }
  #endif
}
