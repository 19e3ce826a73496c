/// A page of a search's results.
public struct SearchResult<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// The total number of results.
  ///
  /// At most the first 1,000 can be retrieved.
  public var totalCount: Int
  /// True if the search timed out, so that results may be missing; nil in recordings before 2014.
  public var isIncomplete: Bool?
  /// The items of this page.
  public var items: [Item]

  /// Creates a result.
  public init(totalCount: Int, isIncomplete: Bool? = false, items: [Item]) {
    (self.totalCount, self.isIncomplete, self.items) = (totalCount, isIncomplete, items)
  }

  private enum CodingKeys: String, CodingKey {
    case items
    case totalCount = "total_count"
    case isIncomplete = "incomplete_results"
  }
}
