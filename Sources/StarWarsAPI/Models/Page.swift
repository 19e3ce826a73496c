public import Foundation

/// A part of a list, and where it goes on.
public struct Page<Item: Sendable>: Sendable {
  /// The number of items on all pages.
  public var count: Int
  /// The next page, nil on the last.
  public var next: URL?
  /// The page before, nil on the first.
  public var previous: URL?
  /// The items on this page.
  public var results: [Item]

  /// Creates a list that fits on one page.
  ///
  /// - Parameters:
  ///   - results: What is on it.
  ///   - next: The next page.
  public init(_ results: [Item], next: URL? = nil) {
    count = results.count
    self.next = next
    self.results = results
  }
}

extension Page: Decodable where Item: Decodable {}
