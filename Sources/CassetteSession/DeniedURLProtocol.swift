import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Refuses requests on `URLSession.shared` while the network is denied, with an error that explains the remedy.
final class DeniedURLProtocol: URLProtocol {
  private let sender = NetworkDenial.Sender()

  override class func canInit(with request: URLRequest) -> Bool {
    guard let url = request.url, let host = url.host(percentEncoded: false)?.lowercased(),
      ["http", "https"].contains(url.scheme?.lowercased() ?? "")
    else { return false }
    let bare = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    guard NetworkDenial.isInForce else { return false }
    guard LoopbackNames.contains(bare) || LoopbackNames.isLoopback(bare) else { return true }
    return NetworkDenial.isProxy(port: url.port ?? (url.scheme == "https" ? 443 : 80))
  }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
  override class func requestIsCacheEquivalent(_ first: URLRequest, to second: URLRequest) -> Bool { false }

  override func startLoading() {
    let what = Self.words(for: request)
    NetworkDenial.note(what, of: sender)
    let message = "\(what): the network is denied. \(NetworkDenial.remedy)"
    client?.urlProtocol(
      self, didFailWithError: URLError.make(NSURLErrorNotConnectedToInternet, url: request.url, message: message))
  }

  override func stopLoading() {}

  /// Returns the description of a refused request.
  static func words(for request: URLRequest) -> String { "\(Loader.line(of: request)) on URLSession.shared" }
}
