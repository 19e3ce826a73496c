import Foundation

extension StarWarsClient {
  /// Returns all items of a list.
  ///
  /// Each page is requested when its first item is needed.
  ///
  /// ```swift
  /// for try await person in client.all(\.people) where person.mass == nil { print(person.name) }
  /// ```
  ///
  /// - Parameter list: The member of the client that returns the pages.
  /// - Returns: The items, in order.
  public func all<Item>(_ list: KeyPath<StarWarsClient, Many<Item>>) -> Listing<Item> {
    Listing(load: self[keyPath: list])
  }
}

/// A sequence of the items on all pages of a list.
public struct Listing<Item: Sendable>: AsyncSequence, Sendable {
  let load: StarWarsClient.Many<Item>

  /// Creates an iterator that starts with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(load: load) }

  /// An iterator over the items, which requests further pages through ``Page/next``.
  public struct Iterator: AsyncIteratorProtocol {
    let load: StarWarsClient.Many<Item>
    private var ready: ArraySlice<Item> = []
    private var upcoming: URL?
    private var isLast = false

    init(load: @escaping StarWarsClient.Many<Item>) { self.load = load }

    /// Returns the next item; nil at the end.
    ///
    /// Throws an error if its page cannot be loaded.
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
