/// The shape of one kind of resource, as the API describes it in JSON Schema (draft 4).
public struct Schema: Decodable, Hashable, Sendable {
  /// The kind of resource that it describes: "People".
  public var title: String
  /// A sentence about it.
  public var description: String?
  /// The members, by the names they have in JSON: `hair_color`.
  public var properties: [String: Property]
  /// The members that are always there.
  public var required: [String]

  /// A member of a resource.
  public struct Property: Decodable, Hashable, Sendable {
    /// The types of its value: "string", "array", "integer", "null".
    public var types: [String]
    /// The format of its text: "date-time", "uri".
    public var format: String?
    /// The description of the property.
    public var description: String?

    /// Reads a type, or a list of types, with the members beside it.
    ///
    /// - Parameter decoder: Where it is read from.
    /// - Throws: `DecodingError` when it has no type.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      if let type = try? container.decode(String.self, forKey: .type) {
        types = [type]
      } else {
        types = try container.decode([String].self, forKey: .type)
      }
      format = try container.decodeIfPresent(String.self, forKey: .format)
      description = try container.decodeIfPresent(String.self, forKey: .description)
    }

    private enum CodingKeys: String, CodingKey {
      case type
      case format
      case description
    }
  }
}
