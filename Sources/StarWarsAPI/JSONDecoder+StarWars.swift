public import Foundation

extension JSONDecoder {
  /// A decoder for the API's JSON: `snake_case`, instants with six digits of a second, and days.
  ///
  /// The models of this module need it: use it where a member of ``StarWarsClient`` is written by hand.
  public static var starWars: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      do {
        // 2014-12-10T14:23:31.880000Z, or 1977-05-25: a film is released for a whole day.
        return try text.contains("T")
          ? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
          : Date.ISO8601FormatStyle().year().month().day().parse(text)
      } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no date")
      }
    }
    return decoder
  }
}
