/// A version of the API: articles are read with the second, and still written with the first.
public enum APIVersion: String, Sendable {
  /// The version for signing in and writing.
  case v1
  /// The version for reading.
  case v2
}
