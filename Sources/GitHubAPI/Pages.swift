public import APIClientKit
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The pages of a list or a search, each fetched when it is asked for, by the `Link` field of the one before (RFC 8288).
///
/// ```swift
/// for try await page in client.pages(of: GitHub.users("kean").repos.get) {
///   show(page.items)
///   last = page.next                     // client.pages(of: request.at(last)) goes on from here
/// }
/// ```
/// Leaving the loop stops it, and so does cancelling its task.
public struct Pages<Item: Sendable>: AsyncSequence, Sendable {
  /// A page: some of the items, and the URL of the next ones.
  public struct Page: Sendable {
    /// The items.
    public let items: [Item]
    /// The number of items on all pages, which only searches tell.
    public let totalCount: Int?
    /// The URL of the next page; nil on the last.
    public let next: String?
    /// The number of requests that are left.
    public let rateLimit: RateLimit?
  }

  /// Fetches a page: the first, or the one at a URL.
  let fetch: @Sendable (_ url: String?) async throws -> Page

  /// Begins at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(fetch: fetch) }

  /// Fetches all pages, one after the other, and returns their items.
  ///
  /// - Parameter limit: The number of items that is enough; the page that reaches it is the last one fetched.
  /// - Returns: The items, at most as many as the limit.
  /// - Throws: ``GitHubFailure``, or `CancellationError`.
  public func items(limit: Int = .max) async throws -> [Item] {
    var items: [Item] = []
    for try await page in self {
      items += page.items
      if items.count >= limit { break }
    }
    return Array(items.prefix(limit))
  }

  /// Fetches page after page.
  public struct Iterator: AsyncIteratorProtocol {
    let fetch: @Sendable (_ url: String?) async throws -> Page
    private var url: String?
    private var isOver = false

    init(fetch: @escaping @Sendable (_ url: String?) async throws -> Page) { self.fetch = fetch }

    /// Fetches the next page.
    ///
    /// - Returns: A page; nil after the last.
    /// - Throws: ``GitHubFailure``, or `CancellationError`; asked again, it fetches the same page again.
    public mutating func next() async throws -> Page? {
      if isOver { return nil }
      let page = try await fetch(url)
      (url, isOver) = (page.next, page.next == nil)
      return page
    }
  }
}

extension GitHubClient {
  /// Returns the pages of a list, from the one that is requested.
  public func pages<Item: Decodable & Sendable>(of request: Request<[Item]>) -> Pages<Item> {
    pages(of: request) { ($0, nil) }
  }

  /// Returns the pages of a search, from the one that is requested; GitHub gives the first 1,000 items.
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
      // A page that leads to itself would never end.
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
