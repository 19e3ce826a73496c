public import Foundation

/// A part of a list, and where it goes on.
public struct Page<Item: Sendable>: Sendable {
  /// How many there are on all pages.
  public var count: Int
  /// The next page, nil on the last.
  public var next: URL?
  /// The page before, nil on the first.
  public var previous: URL?
  /// What is on this one.
  public var results: [Item]

  /// A list that fits on one page.
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
