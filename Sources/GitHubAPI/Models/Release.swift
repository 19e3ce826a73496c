public import Foundation

/// A release.
public struct Release: Codable, Hashable, Sendable, Identifiable {
  /// The unique number, which never changes.
  public var id: Int
  /// The tag of the release.
  public var tagName: String
  /// The title.
  public var name: String?
  /// The release notes in Markdown.
  public var body: String?
  /// True for a draft, which only users with write access can see.
  public var draft: Bool?
  /// True for a prerelease.
  public var prerelease: Bool
  /// The files.
  public var assets: [Asset]
  /// The author; nil if the account was deleted.
  public var author: User?
  /// The URL of the web page.
  public var htmlURL: URL?
  /// The time of creation.
  public var createdAt: Date?
  /// The time of publication; nil for a draft.
  public var publishedAt: Date?

  /// Creates a release.
  ///
  /// Omitted members are unknown.
  public init(
    id: Int, tagName: String, name: String? = nil, body: String? = nil, draft: Bool? = nil, prerelease: Bool = false,
    assets: [Asset] = [], author: User? = nil, htmlURL: URL? = nil, createdAt: Date? = nil, publishedAt: Date? = nil
  ) {
    (self.id, self.tagName, self.name, self.body) = (id, tagName, name, body)
    (self.draft, self.prerelease, self.assets, self.author) = (draft, prerelease, assets, author)
    (self.htmlURL, self.createdAt, self.publishedAt) = (htmlURL, createdAt, publishedAt)
  }

  /// Decodes a release.
  ///
  /// The first releases of 2013 have no list of files.
  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try object.decode(Int.self, forKey: .id), tagName: try object.decode(String.self, forKey: .tagName),
      name: try object.decodeIfPresent(String.self, forKey: .name),
      body: try object.decodeIfPresent(String.self, forKey: .body),
      draft: try object.decodeIfPresent(Bool.self, forKey: .draft),
      prerelease: try object.decodeIfPresent(Bool.self, forKey: .prerelease) ?? false,
      assets: try object.decodeIfPresent([Asset].self, forKey: .assets) ?? [],
      author: try object.decodeIfPresent(User.self, forKey: .author),
      htmlURL: try object.decodeIfPresent(URL.self, forKey: .htmlURL),
      createdAt: try object.decodeIfPresent(Date.self, forKey: .createdAt),
      publishedAt: try object.decodeIfPresent(Date.self, forKey: .publishedAt))
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, body, draft, prerelease, assets, author
    case tagName = "tag_name"
    case htmlURL = "html_url"
    case createdAt = "created_at"
    case publishedAt = "published_at"
  }
}

/// A file of a release.
public struct Asset: Codable, Hashable, Sendable, Identifiable {
  /// The unique number, which never changes.
  public var id: Int
  /// The name of the file.
  public var name: String
  /// The label that the web page shows instead of the name; nil for the name.
  public var label: String?
  /// The size in bytes.
  public var size: Int
  /// The media type.
  public var contentType: String
  /// The number of downloads.
  public var downloadCount: Int
  /// The URL for downloads by browsers.
  public var downloadURL: URL?

  /// Creates a file of a release.
  public init(
    id: Int, name: String, label: String? = nil, size: Int, contentType: String, downloadCount: Int = 0,
    downloadURL: URL? = nil
  ) {
    (self.id, self.name, self.label, self.size) = (id, name, label, size)
    (self.contentType, self.downloadCount, self.downloadURL) = (contentType, downloadCount, downloadURL)
  }

  private enum CodingKeys: String, CodingKey {
    case id, name, label, size
    case contentType = "content_type"
    case downloadCount = "download_count"
    case downloadURL = "browser_download_url"
  }
}
