public import Foundation

/// A gist, which is a set of shared files.
public struct Gist: Codable, Hashable, Sendable, Identifiable {
  /// A file of a gist.
  public struct File: Codable, Hashable, Sendable {
    /// The name of the file.
    public var filename: String?
    /// The programming language that GitHub has detected.
    public var language: String?
    /// The size in bytes.
    public var size: Int?
    /// The content; nil in lists.
    public var content: String?
    /// True if ``content`` is only the first megabyte.
    public var truncated: Bool?
    /// The URL of the content.
    public var rawURL: URL?

    /// Creates a file.
    public init(
      filename: String? = nil, language: String? = nil, size: Int? = nil, content: String? = nil,
      truncated: Bool? = nil, rawURL: URL? = nil
    ) {
      (self.filename, self.language, self.size) = (filename, language, size)
      (self.content, self.truncated, self.rawURL) = (content, truncated, rawURL)
    }

    private enum CodingKeys: String, CodingKey {
      case filename, language, size, content, truncated
      case rawURL = "raw_url"
    }
  }

  /// The identifier, which occurs in URLs.
  public var id: String
  /// A short description.
  public var description: String?
  /// True if the gist is public.
  ///
  /// A gist that is not public is visible to everyone with its URL.
  public var isPublic: Bool?
  /// The files by name.
  public var files: [String: File]
  /// The owner; nil for an anonymous gist.
  public var owner: User?
  /// The number of comments.
  public var comments: Int?
  /// The URL of the web page.
  public var htmlURL: URL?
  /// The time of creation.
  public var createdAt: Date?
  /// The time of the last change.
  public var updatedAt: Date?

  /// Creates a gist.
  ///
  /// Omitted members are unknown.
  public init(
    id: String, description: String? = nil, isPublic: Bool? = nil, files: [String: File] = [:], owner: User? = nil,
    comments: Int? = nil, htmlURL: URL? = nil, createdAt: Date? = nil, updatedAt: Date? = nil
  ) {
    (self.id, self.description, self.isPublic, self.files) = (id, description, isPublic, files)
    (self.owner, self.comments, self.htmlURL) = (owner, comments, htmlURL)
    (self.createdAt, self.updatedAt) = (createdAt, updatedAt)
  }

  private enum CodingKeys: String, CodingKey {
    case id, description, files, owner, comments
    case isPublic = "public"
    case htmlURL = "html_url"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
  }
}

/// A new gist, or changes to a gist.
public struct NewGist: Encodable, Hashable, Sendable {
  /// A short description.
  public var description: String?
  /// True to create a public gist.
  ///
  /// The value cannot be changed later.
  public var isPublic: Bool?
  /// The content of the files by name.
  ///
  /// When a gist is changed, nil removes a file.
  public var files: [String: String?]

  /// Creates the content of a new or changed gist.
  public init(description: String? = nil, isPublic: Bool? = nil, files: [String: String?]) {
    (self.description, self.isPublic, self.files) = (description, isPublic, files)
  }

  /// Encodes the content of each file as an object, as the API requires.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encodeIfPresent(description, forKey: .description)
    try object.encodeIfPresent(isPublic, forKey: .isPublic)
    try object.encode(files.mapValues { $0.map { ["content": $0] } }, forKey: .files)
  }

  private enum CodingKeys: String, CodingKey {
    case description, files
    case isPublic = "public"
  }
}
