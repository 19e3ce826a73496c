import Foundation

extension JSONDecoder {
  /// A decoder for the JSON of the API.
  static var articles: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }
}
