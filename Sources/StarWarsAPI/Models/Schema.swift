/// The schema of a kind of resource, which the API describes in JSON Schema (draft 4).
public struct Schema: Decodable, Hashable, Sendable {
  /// The kind of resource that the schema describes, such as "People".
  public var title: String
  /// A sentence that describes the resource.
  public var description: String?
  /// The members, keyed by their names in JSON, such as `hair_color`.
  public var properties: [String: Property]
  /// The names of the members that are always present.
  public var required: [String]

  /// A member of a resource.
  public struct Property: Decodable, Hashable, Sendable {
    /// The types of the value, such as "string", "array", "integer" or "null".
    public var types: [String]
    /// The format of a string, such as "date-time" or "uri"; nil if unspecified.
    public var format: String?
    /// The description of the property.
    public var description: String?

    /// Decodes a property, whose `type` may be a string or a list of strings.
    ///
    /// - Parameter decoder: The decoder that contains the value.
    /// - Throws: `DecodingError` if there is no type.
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
