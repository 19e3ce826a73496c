public import APIClientKit
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The pages of a listing, each fetched when it is asked for, by the `Link` field of the one before (RFC 8288).
///
/// ```swift
/// for try await page in client.pages(of: GitHub.users("kean").repos.get) {
///   show(page.items)
///   last = page.next                     // client.pages(of: request.at(last)) goes on from here
/// }
/// ```
/// Leaving the loop stops it, and so does cancelling its task.
public struct Pages<Item: Decodable & Sendable>: AsyncSequence, Sendable {
  /// Some of the items, and where the others are.
  public struct Page: Sendable {
    /// The items.
    public let items: [Item]
    /// The URL of the next page; nil on the last.
    public let next: String?
    /// How many requests are left.
    public let rateLimit: RateLimit?
  }

  let client: GitHubClient
  let first: Request<[Item]>

  /// Begins at the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(client: client, request: first) }

  /// Fetches page after page.
  public struct Iterator: AsyncIteratorProtocol {
    let client: GitHubClient
    var request: Request<[Item]>?

    /// The next page; nil after the last.
    ///
    /// - Returns: A page.
    /// - Throws: ``GitHubFailure``, or `CancellationError`; asked again, it fetches the same page again.
    public mutating func next() async throws -> Page? {
      guard let asked = request else { return nil }
      let response = try await client.send(asked)
      let next = response.header("Link").flatMap { Links($0).next }
      // A page that leads to itself would never end.
      let isOther = next != nil && next != response.originalRequest.url?.absoluteString
      request = isOther ? next.map { asked.at($0) } : nil
      return Page(items: response.value, next: isOther ? next : nil, rateLimit: response.rateLimit)
    }
  }
}

extension GitHubClient {
  /// The pages of a listing, from the one that is requested.
  public func pages<Item: Decodable & Sendable>(of request: Request<[Item]>) -> Pages<Item> {
    Pages(client: self, first: request)
  }
}

/// The `Link` field of a response.
struct Links {
  private let field: String

  init(_ field: String) { self.field = field }

  /// Where the next page is.
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
