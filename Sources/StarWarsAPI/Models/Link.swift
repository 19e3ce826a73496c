/// A link from one resource to another; the kind of resource is part of its type.
public struct Link<Resource>: Decodable, Hashable, Sendable {
  /// The number in the link, such as 1 in `https://swapi.dev/api/people/1/`.
  public let id: Int

  /// Creates a link to a resource.
  ///
  /// - Parameter id: The number of the resource.
  public init(_ id: Int) { self.id = id }

  /// Decodes a URL that ends with a number.
  ///
  /// - Parameter decoder: The decoder that contains the value.
  /// - Throws: `DecodingError` if there is no number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let id = text.split(separator: "/").last.flatMap({ Int($0) }) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" does not end with a number")
    }
    self.id = id
  }
}
