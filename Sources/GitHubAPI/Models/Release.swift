public import Foundation

/// A version that was released.
public struct Release: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The tag it was made of.
  public var tagName: String
  /// The name.
  public var name: String?
  /// Whether it is not for everybody yet.
  public var prerelease: Bool
  /// The files.
  public var assets: [Asset]
  /// When it was released.
  public var publishedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, name, prerelease, assets
    case tagName = "tag_name"
    case publishedAt = "published_at"
  }
}

/// A file of a release.
public struct Asset: Codable, Hashable, Sendable, Identifiable {
  /// The number that stays.
  public var id: Int
  /// The file's name.
  public var name: String
  /// How many bytes.
  public var size: Int
  /// The media type.
  public var contentType: String
  /// How often it was fetched.
  public var downloadCount: Int

  private enum CodingKeys: String, CodingKey {
    case id, name, size
    case contentType = "content_type"
    case downloadCount = "download_count"
  }
}
