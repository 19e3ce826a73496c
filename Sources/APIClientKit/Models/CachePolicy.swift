/// The use of kept answers for a request.
public enum CachePolicy: Hashable, Sendable {
  /// As the session does it, by its `URLCache`.
  case standard
  /// The server is asked whether the kept answer is still right; 304 gives it again.
  case revalidate
  /// The server is asked for all of it.
  case reload
  /// Nothing is sent: the answer that ``revalidate`` has kept, or an error.
  case cacheOnly
}
