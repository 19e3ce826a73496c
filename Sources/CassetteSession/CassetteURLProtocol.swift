internal import CassetteSystem
import Dispatch
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Passes the requests of a session to its player.
///
/// Handles every request, so that none reaches the network. The class of the protocol identifies the player, see
/// ``SessionProtocolClasses``.
class CassetteURLProtocol: URLProtocol {
  private lazy var loader = Loader(request)
  /// The test whose task resumes the request, and its context; protocols are created on the thread of that task.
  let sender = PlayingTest.current
  let context = PlayingTest.current != nil && StubTable.hasClosures.isSet ? TaskContext() : nil

  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override class func requestIsCacheEquivalent(_ first: URLRequest, to second: URLRequest) -> Bool { false }

  /// The loading system that calls the protocol.
  class var system: LoadingSystem { .current }
  /// The registry with the player of this class.
  class var classes: SessionProtocolClasses { .shared }

  /// The destination of this protocol's request, with the cookies and header fields of the session.
  var route: SessionProtocolClasses.Route? {
    Self.classes.route(of: type(of: self), task: task?.taskIdentifier) {
      task.flatMap { SessionTask.session(of: $0) }
    }
  }

  #if canImport(FoundationNetworking)
    /// The only queue on which the client may be called; nil if it cannot be read from the library.
    var queue: DispatchQueue? { task.flatMap { SessionTask.workQueue(of: $0) } }

    /// Starts or continues the request.
    ///
    /// Called on the task's work queue, also each time a suspended task is resumed.
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
