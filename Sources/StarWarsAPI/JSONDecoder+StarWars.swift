public import Foundation

extension JSONDecoder {
  /// A decoder for the API's JSON, which has names in `snake_case`, and times with microseconds or dates without a
  /// time.
  ///
  /// Custom members of ``StarWarsClient`` need it to decode the models of this module.
  public static var starWars: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      do {
        // A time such as 2014-12-10T14:23:31.880000Z, or the date of a release such as 1977-05-25.
        return try text.contains("T")
          ? Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains(".")).parse(text)
          : Date.ISO8601FormatStyle().year().month().day().parse(text)
      } catch {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a date")
      }
    }
    return decoder
  }
}
