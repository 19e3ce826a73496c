public import Foundation

/// What GitHub says when it says no.
public struct GitHubError: Error, Decodable, Hashable, Sendable {
  /// What is wrong with a field.
  public struct Field: Decodable, Hashable, Sendable {
    /// What kind of thing it is a field of.
    public var resource: String?
    /// The field's name.
    public var field: String?
    /// What is wrong, such as `missing_field` or `already_exists`.
    public var code: String?
    /// What is wrong, in words.
    public var message: String?

    /// Reads an object, or the mere words that some endpoints give.
    public init(from decoder: any Decoder) throws {
      if let words = try? decoder.singleValueContainer().decode(String.self) {
        message = words
        return
      }
      let object = try decoder.container(keyedBy: CodingKeys.self)
      resource = try object.decodeIfPresent(String.self, forKey: .resource)
      field = try object.decodeIfPresent(String.self, forKey: .field)
      code = try object.decodeIfPresent(String.self, forKey: .code)
      message = try object.decodeIfPresent(String.self, forKey: .message)
    }

    private enum CodingKeys: String, CodingKey { case resource, field, code, message }
  }

  /// What is wrong.
  public var message: String
  /// Where it is explained.
  public var documentationURL: URL?
  /// What is wrong with each field.
  public var errors: [Field]?
  /// How many requests are left; none is why they are refused.
  public var rateLimit: RateLimit?

  private enum CodingKeys: String, CodingKey {
    case message, errors
    case documentationURL = "documentation_url"
  }
}
