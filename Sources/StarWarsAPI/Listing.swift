import Foundation

extension StarWarsClient {
  /// Returns all items of a list, page after page; no page is asked for before it is needed.
  ///
  /// ```swift
  /// for try await person in client.all(\.people) where person.mass == nil { print(person.name) }
  /// ```
  ///
  /// - Parameter list: The member that gives the pages.
  /// - Returns: The items, in order.
  public func all<Item>(_ list: KeyPath<StarWarsClient, Many<Item>>) -> Listing<Item> {
    Listing(load: self[keyPath: list])
  }
}

/// The items of all pages of a list.
public struct Listing<Item: Sendable>: AsyncSequence, Sendable {
  let load: StarWarsClient.Many<Item>

  /// Starts with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(load: load) }

  /// Hands out one item after the other and follows ``Page/next``.
  public struct Iterator: AsyncIteratorProtocol {
    let load: StarWarsClient.Many<Item>
    private var ready: ArraySlice<Item> = []
    private var upcoming: URL?
    private var isLast = false

    init(load: @escaping StarWarsClient.Many<Item>) { self.load = load }

    /// Returns the next item, nil at the end; throws the error of asking for its page.
    public mutating func next() async throws -> Item? {
      while ready.isEmpty, !isLast {
        try Task.checkCancellation()
        let page = try await load(upcoming)
        ready = page.results[...]
        upcoming = page.next
        isLast = page.next == nil
      }
      return ready.popFirst()
    }
  }
}
