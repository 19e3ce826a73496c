public import APIClientKit
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The pages of a list or a search, each requested on demand through the `Link` field of the previous page (RFC 8288).
///
/// ```swift
/// for try await page in client.pages(of: GitHub.users("kean").repos.get) {
///   show(page.items)
///   last = page.next                     // client.pages(of: request.at(last)) goes on from here
/// }
/// ```
/// No further page is requested after the loop is left or its task is cancelled.
public struct Pages<Item: Sendable>: AsyncSequence, Sendable {
  /// A page of items with the URL of the next page.
  public struct Page: Sendable {
    /// The items on this page.
    public let items: [Item]
    /// The number of items on all pages; nil for lists, because only searches report it.
    public let totalCount: Int?
    /// The URL of the next page; nil on the last page.
    public let next: String?
    /// The rate limit after the request; nil if the response contains none.
    public let rateLimit: RateLimit?
  }

  /// The function that requests a page: the first page for nil, or the page at a URL.
  let fetch: @Sendable (_ url: String?) async throws -> Page

  /// Creates an iterator that starts with the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(fetch: fetch) }

  /// Requests all pages one after the other, and returns their items.
  ///
  /// - Parameter limit: The maximum number of items, unlimited by default. No page is requested after it is reached.
  /// - Returns: The items.
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func items(limit: Int = .max) async throws -> [Item] {
    var items: [Item] = []
    for try await page in self {
      items += page.items
      if items.count >= limit { break }
    }
    return Array(items.prefix(limit))
  }

  /// An iterator over the pages.
  public struct Iterator: AsyncIteratorProtocol {
    let fetch: @Sendable (_ url: String?) async throws -> Page
    private var url: String?
    private var isOver = false

    init(fetch: @escaping @Sendable (_ url: String?) async throws -> Page) { self.fetch = fetch }

    /// Requests the next page.
    ///
    /// - Returns: The page; nil after the last page.
    /// - Throws: ``GitHubFailure``, or `CancellationError`. The next call then requests the same page again.
    public mutating func next() async throws -> Page? {
      if isOver { return nil }
      let page = try await fetch(url)
      (url, isOver) = (page.next, page.next == nil)
      return page
    }
  }
}

extension GitHubClient {
  /// Returns the pages of a list, starting with the requested page.
  public func pages<Item: Decodable & Sendable>(of request: Request<[Item]>) -> Pages<Item> {
    pages(of: request) { ($0, nil) }
  }

  /// Returns the pages of a search, starting with the requested page.
  ///
  /// GitHub returns only the first 1,000 items.
  public func pages<Item>(of request: Request<SearchResult<Item>>) -> Pages<Item> {
    pages(of: request) { ($0.items, $0.totalCount) }
  }

  private func pages<Value: Decodable & Sendable, Item: Sendable>(
    of request: Request<Value>, _ content: @escaping @Sendable (Value) -> (items: [Item], total: Int?)
  ) -> Pages<Item> {
    Pages { url in
      let response = try await send(url.map { request.at($0) } ?? request)
      let next = response.header("Link").flatMap { Links($0).next }
      let (items, total) = content(response.value)
      // A page that links to itself would cause an endless loop.
      let isOther = next != response.originalRequest?.url?.absoluteString
      return Pages.Page(
        items: items, totalCount: total, next: isOther ? next : nil, rateLimit: response.rateLimit)
    }
  }
}

/// The `Link` field of a response.
struct Links {
  private let field: String

  init(_ field: String) { self.field = field }

  /// The URL of the next page.
  var next: String? {
    for match in field.matches(of: /<([^>]*)>((?:\s*;[^,;"]*(?:"[^"]*")?)*)/) {
      for parameter in match.2.split(separator: ";") {
        let pair = parameter.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        guard pair.count == 2, pair[0].lowercased() == "rel" else { continue }
        let relations = pair[1].trimmingCharacters(in: CharacterSet(charactersIn: "\"")).split(separator: " ")
        if relations.contains("next") { return String(match.1) }
      }
    }
    return nil
  }
}
