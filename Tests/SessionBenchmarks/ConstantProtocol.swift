import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The simplest URL protocol: it sends one constant response immediately.
final class ConstantProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    if let response = Exchange.response {
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }
    client?.urlProtocol(self, didLoad: Exchange.data)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}

  static var session: URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [ConstantProtocol.self]
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    return URLSession(configuration: configuration)
  }
}
