/// A link from one resource to another; the kind of resource is part of its type.
public struct Link<Resource>: Decodable, Hashable, Sendable {
  /// The number in the link: 1 in `https://swapi.dev/api/people/1/`.
  public let id: Int

  /// Creates a link to a resource.
  ///
  /// - Parameter id: Its number.
  public init(_ id: Int) { self.id = id }

  /// Reads a URL that ends with a number.
  ///
  /// - Parameter decoder: Where it is read from.
  /// - Throws: `DecodingError` when there is no number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = text.split(separator: "/").last.flatMap({ Int($0) }) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" does not end with a number")
    }
    self.id = id
  }
}
