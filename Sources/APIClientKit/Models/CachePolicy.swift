/// The use of cached responses for a request.
public enum CachePolicy: Hashable, Sendable {
  /// The session decides, with its `URLCache`.
  case standard
  /// The client asks the server whether the cached response is still valid, and returns it after a 304.
  case revalidate
  /// The cache is ignored.
  case reload
  /// No request is sent.
  ///
  /// The result is the response cached by ``revalidate``, or an error.
  case cacheOnly
}
