public import Foundation

/// The content of an error response of GitHub.
public struct GitHubError: Error, Decodable, Hashable, Sendable {
  /// An error in one field of the request.
  public struct Field: Decodable, Hashable, Sendable {
    /// The type of the resource that has the field.
    public var resource: String?
    /// The name of the field.
    public var field: String?
    /// The kind of error, such as `missing_field` or `already_exists`.
    public var code: String?
    /// The error message.
    public var message: String?

    /// Creates an error in a field.
    public init(resource: String? = nil, field: String? = nil, code: String? = nil, message: String? = nil) {
      (self.resource, self.field, self.code, self.message) = (resource, field, code, message)
    }

    /// Decodes an object, or a string, which some endpoints send instead.
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

  /// The error message.
  public var message: String
  /// The URL of the documentation.
  public var documentationURL: URL?
  /// The errors in fields of the request, for status 422.
  public var errors: [Field]?
  /// The rate limit.
  ///
  /// If no requests remain, the limit is the reason for the error.
  public var rateLimit: RateLimit?

  /// Creates an error.
  public init(
    message: String, documentationURL: URL? = nil, errors: [Field]? = nil, rateLimit: RateLimit? = nil
  ) {
    (self.message, self.documentationURL) = (message, documentationURL)
    (self.errors, self.rateLimit) = (errors, rateLimit)
  }

  /// Decodes the body of an error response, in which `errors` may be a list or a string.
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
