/// A version of the API.
///
/// Articles are read with the second version, and written with the first.
public enum APIVersion: String, Sendable {
  /// The version for signing in and writing.
  case v1
  /// The version for reading.
  case v2
}
