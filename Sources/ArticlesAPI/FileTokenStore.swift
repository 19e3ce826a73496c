public import Foundation

/// A store that saves a token in a file readable only by its owner, for systems without a keychain.
///
/// The file is written atomically: a temporary file in the same folder, created with mode 600, replaces it. Readers see
/// either the old token or the new one. A file that other users can read is rejected.
public struct FileTokenStore: TokenStore {
  /// The file with the token, whose folder must exist.
  public let url: URL

  /// Creates a store for a file.
  public init(_ url: URL) { self.url = url }

  /// Returns the saved token; nil if there is no file.
  public func token() throws -> Token? {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure("cannot be opened") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // The permissions of the open file are checked, because the path may refer to another file by now.
    var about = stat()
    guard fstat(descriptor, &about) == 0, about.st_mode & 0o077 == 0 else {
      throw problem("other users can read it; sign in again, or run: chmod 600 '\(url.path)'")
    }
    guard let token = try? JSONDecoder().decode(Token.self, from: try file.readToEnd() ?? Data()) else {
      throw problem("is not a token; delete it and sign in again")
    }
    return token
  }

  /// Saves a token, replacing the previous one.
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

  /// Removes the token by deleting the file.
  public func clear() throws {
    guard unlink(url.path) == 0 || errno == ENOENT else { throw failure("cannot be deleted") }
  }

  private func problem(_ problem: String) -> TokenStoreError { TokenStoreError(place: url.path, problem: problem) }
  private func failure(_ what: String) -> TokenStoreError { problem("\(what): \(String(cString: strerror(errno)))") }
}
