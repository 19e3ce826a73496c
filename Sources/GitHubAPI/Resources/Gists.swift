public import APIClientKit

/// The gists: `/gists`.
public struct GistsResource: Sendable {
  let path: String
  /// Reads the signed-in user's gists, or all public ones.
  public var get: Request<[Gist]> { .get(path) }
  /// Makes a gist of any number of files.
  public func post(_ gist: NewGist) -> Request<Gist> { .post(path, body: gist) }
  /// A gist by its id.
  public func callAsFunction(_ id: String) -> GistResource { GistResource(path: path + GitHub.path(id)) }
}

/// A gist: `/gists/{id}`.
public struct GistResource: Sendable {
  let path: String
  /// Reads the gist with the texts of its files.
  public var get: Request<Gist> { .get(path) }
  /// Changes the files that are named; a nil text removes one.
  public func patch(_ change: NewGist) -> Request<Gist> { .patch(path, body: change) }
  /// Removes the gist.
  public var delete: Request<Void> { .delete(path) }
  /// The comments.
  public var comments: Listing<IssueComment> { Listing(path: path + "/comments") }
}
