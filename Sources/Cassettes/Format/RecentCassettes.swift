internal import CassetteSystem

/// A cache of recently read cassettes, so that many tests that play the same file read it once.
enum RecentCassettes {
  private struct Kept {
    let signature: String
    let bytes: Int
    let cassette: Cassette
  }

  /// The maximum size of all cached files in bytes; the last file is kept regardless of its size.
  private static let mostBytes = 64 << 20
  private static let kept = Locked<[(key: String, value: Kept)]>([])

  /// Returns the cached cassette of a file if the file still has the same signature; nil otherwise.
  static func cassette(named name: String, _ signature: String) -> Cassette? {
    kept.withLock { kept in
      guard let at = kept.firstIndex(where: { $0.key == name && $0.value.signature == signature }) else { return nil }
      kept.append(kept.remove(at: at))
      return kept.last?.value.cassette
    }
  }

  /// Caches a cassette under the signature that its file had before it was read, and replaces an older version.
  ///
  /// A file that was written less than two seconds ago is not cached: a second write within the resolution of the file
  /// system's timestamps would not change the signature.
  static func keep(_ cassette: Cassette, _ signature: String, of file: String, bytes: Int) {
    let age = Folder.age(of: file)
    guard age > 2_000_000_000, age < .max else { return }
    kept.withLock { kept in
      kept.removeAll { $0.key == cassette.name }
      kept.append((cassette.name, Kept(signature: signature, bytes: bytes, cassette: cassette)))
      while kept.count > 1, kept.reduce(0, { $0 + $1.value.bytes }) > mostBytes { kept.removeFirst() }
    }
  }

  private final class Turn: Sendable {
    let lock = Locked<Void>(())
  }

  /// The locks for reading files, which are assigned by the hashes of their paths.
  private static let turns = (0..<16).map { _ in Turn() }

  /// Reads a file under a lock, so that parallel tests wait for the first test that reads it and use its result.
  static func inTurn<Result, Failure: Error>(
    _ file: String, _ read: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var result: Swift.Result<Result, Failure>?
    turns[Int(file.utf8.stableHash % 16)].lock.withLock { _ in
      do throws(Failure) { result = .success(try read()) } catch { result = .failure(error) }
    }
    guard let result else { return try read() }
    return try result.get()
  }
}
