public import Foundation

/// A gist: a few files that are shared.
public struct Gist: Codable, Hashable, Sendable, Identifiable {
  /// A file of a gist.
  public struct File: Codable, Hashable, Sendable {
    /// The file's name.
    public var filename: String?
    /// The language, as GitHub guesses it.
    public var language: String?
    /// The size in bytes.
    public var size: Int?
    /// The text; nil in lists.
    public var content: String?
    /// True if ``content`` is only the first megabyte.
    public var truncated: Bool?
    /// The URL of the text.
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

  /// The name in URLs.
  public var id: String
  /// A line about it.
  public var description: String?
  /// True if it can be found; who knows the URL sees it in any case.
  public var isPublic: Bool?
  /// The files by name.
  public var files: [String: File]
  /// The owner; nil for an anonymous gist.
  public var owner: User?
  /// The number of comments.
  public var comments: Int?
  /// The URL of the page.
  public var htmlURL: URL?
  /// The time it was made.
  public var createdAt: Date?
  /// The time it last changed.
  public var updatedAt: Date?

  /// Creates a gist; members that are left out are unknown.
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

/// A gist to make, or the changes to one.
public struct NewGist: Encodable, Hashable, Sendable {
  /// A line about it.
  public var description: String?
  /// True if it can be found; cannot be changed later.
  public var isPublic: Bool?
  /// The texts by file name; nil removes a file from a gist that is changed.
  public var files: [String: String?]

  /// Creates a gist to make.
  public init(description: String? = nil, isPublic: Bool? = nil, files: [String: String?]) {
    (self.description, self.isPublic, self.files) = (description, isPublic, files)
  }

  /// Writes each text as an object, as GitHub wants it.
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
