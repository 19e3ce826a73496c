public import Foundation

/// GitHub's own account of why it refused a request.
public struct GitHubError: Error, Decodable, Hashable, Sendable {
  /// An error in one field of the request.
  public struct Field: Decodable, Hashable, Sendable {
    /// The type of the resource that has the field.
    public var resource: String?
    /// The field's name.
    public var field: String?
    /// The kind of error, such as `missing_field` or `already_exists`.
    public var code: String?
    /// The error in words.
    public var message: String?

    /// Creates an error in a field.
    public init(resource: String? = nil, field: String? = nil, code: String? = nil, message: String? = nil) {
      (self.resource, self.field, self.code, self.message) = (resource, field, code, message)
    }

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

  /// The error in words.
  public var message: String
  /// The page of the documentation.
  public var documentationURL: URL?
  /// The errors in fields, with status 422.
  public var errors: [Field]?
  /// The limit that applied; with none remaining, it is why the request was refused.
  public var rateLimit: RateLimit?

  /// Creates an error.
  public init(
    message: String, documentationURL: URL? = nil, errors: [Field]? = nil, rateLimit: RateLimit? = nil
  ) {
    (self.message, self.documentationURL) = (message, documentationURL)
    (self.errors, self.rateLimit) = (errors, rateLimit)
  }

  /// Reads the body of a refusal; `errors` may be a list, or one text.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    message = try object.decode(String.self, forKey: .message)
    documentationURL = try? object.decodeIfPresent(URL.self, forKey: .documentationURL)
    errors =
      (try? object.decodeIfPresent([Field].self, forKey: .errors))
      ?? (try? object.decodeIfPresent(Field.self, forKey: .errors)).map { [$0] }
  }

  private enum CodingKeys: String, CodingKey {
    case message, errors
    case documentationURL = "documentation_url"
  }
}
