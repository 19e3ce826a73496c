import Foundation

extension KeyedDecodingContainer {
  /// Decodes a URL of a model.
  ///
  /// An empty or invalid URL is decoded as nil, so that it does not invalidate the whole model.
  ///
  /// The compiler prefers this function when it synthesizes `Decodable` for a model.
  func decodeIfPresent(_ type: URL.Type, forKey key: Key) throws -> URL? {
    try decodeIfPresent(String.self, forKey: key).flatMap { $0.isEmpty ? nil : URL(string: $0) }
  }
}
