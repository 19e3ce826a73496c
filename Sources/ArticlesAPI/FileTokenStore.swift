public import Foundation

/// Keeps a token in a file that only its owner may read, where there is no keychain.
///
/// The file is made with mode 600 (never made first and narrowed then), beside its place, and put there whole: whoever
/// looks at any time sees the old token or the new one. A file that others may read is refused.
public struct FileTokenStore: TokenStore {
  /// The file that keeps the token; its folder has to be there.
  public let url: URL

  /// Creates a store at a place.
  public init(_ url: URL) { self.url = url }

  /// Returns the token that was saved, nil when there is no file.
  public func token() throws -> Token? {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure("cannot be opened") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // What was opened is asked, not the path: that may be another file by now.
    var about = stat()
    guard fstat(descriptor, &about) == 0, about.st_mode & 0o077 == 0 else {
      throw problem("others may read it; sign in anew, or: chmod 600 '\(url.path)'")
    }
    guard let token = try? JSONDecoder().decode(Token.self, from: try file.readToEnd() ?? Data()) else {
      throw problem("is no token; delete it and sign in anew")
    }
    return token
  }

  /// Keeps a token in place of the one before.
  public func save(_ token: Token) throws {
    let draft = "\(url.path).\(UUID().uuidString)"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be written") }
    defer { unlink(draft) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: JSONEncoder().encode(token))
    try file.synchronize()
    guard rename(draft, url.path) == 0 else { throw failure("cannot be replaced") }
  }

  /// Forgets the token: the file is gone.
  public func clear() throws {
    guard unlink(url.path) == 0 || errno == ENOENT else { throw failure("cannot be deleted") }
  }

  private func problem(_ problem: String) -> TokenStoreError { TokenStoreError(place: url.path, problem: problem) }
  private func failure(_ what: String) -> TokenStoreError { problem("\(what): \(String(cString: strerror(errno)))") }
}
