/// A version of the API: articles are read with the second, and still written with the first.
public enum APIVersion: String, Sendable {
  /// What signs in and writes.
  case v1
  /// What reads.
  case v2
}
