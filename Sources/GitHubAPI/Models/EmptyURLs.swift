import Foundation

extension KeyedDecodingContainer {
  /// Reads a URL of a model; what GitHub leaves empty, or what is no URL, is none, and does not fail the rest.
  ///
  /// The compiler prefers it to the standard one where it makes a model `Decodable`.
  func decodeIfPresent(_ type: URL.Type, forKey key: Key) throws -> URL? {
    try decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : URL(string: $0) }
  }
}
