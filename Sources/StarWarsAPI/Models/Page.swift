public import Foundation

/// A page of a list.
public struct Page<Item: Sendable>: Sendable {
  /// The number of items on all pages.
  public var count: Int
  /// The URL of the next page; nil on the last page.
  public var next: URL?
  /// The URL of the previous page; nil on the first page.
  public var previous: URL?
  /// The items on this page.
  public var results: [Item]

  /// Creates a page for tests and previews.
  ///
  /// - Parameters:
  ///   - results: The items on the page.
  ///   - next: The URL of the next page; nil (the default) for the last page.
  public init(_ results: [Item], next: URL? = nil) {
    count = results.count
    self.next = next
    self.results = results
  }
}

extension Page: Decodable where Item: Decodable {}
