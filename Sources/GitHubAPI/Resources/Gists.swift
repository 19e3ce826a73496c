public import APIClientKit

/// The resource `/gists`.
public struct GistsResource: Sendable {
  let path: String
  /// Retrieves the gists of the signed-in user, or all public gists for anonymous requests.
  public var get: Request<[Gist]> { .get(path) }
  /// Creates a gist.
  public func post(_ gist: NewGist) -> Request<Gist> { .post(path, body: gist) }
  /// Returns the resource of a gist.
  public func callAsFunction(_ id: String) -> GistResource { GistResource(path: path + GitHub.path(id)) }
}

/// The resource `/gists/{id}`.
public struct GistResource: Sendable {
  let path: String
  /// Retrieves the gist with the content of its files.
  public var get: Request<Gist> { .get(path) }
  /// Changes the named files of the gist, or removes files whose content is nil.
  public func patch(_ change: NewGist) -> Request<Gist> { .patch(path, body: change) }
  /// Removes the gist.
  public var delete: Request<Void> { .delete(path) }
  /// The comments.
  public var comments: Listing<IssueComment> { Listing(path: path + "/comments") }
}
