internal import CassetteSystem

/// The cassettes that were read last, so that a hundred tests that play one file read it once.
package enum RecentCassettes {
  private struct Kept {
    let signature: String
    let bytes: Int
    let cassette: Cassette
  }

  /// The most bytes of files that are kept together; the last file is kept whatever its size.
  private static let mostBytes = 64 << 20
  private static let kept = Locked<[(key: String, value: Kept)]>([])

  /// Returns the cassette a file holds, if it was read before and the file's signature is the same still.
  package static func cassette(named name: String, _ signature: String) -> Cassette? {
    kept.withLock { kept in
      guard let at = kept.firstIndex(where: { $0.key == name && $0.value.signature == signature }) else { return nil }
      kept.append(kept.remove(at: at))
      return kept.last?.value.cassette
    }
  }

  /// Keeps what was read, with the signature the file had before, in the place of what the same file held before.
  ///
  /// A file that was written just now is not kept: a second change within the clock's tick could not be told.
  package static func keep(_ cassette: Cassette, _ signature: String, of file: String, bytes: Int) {
    let age = Folder.age(of: file)
    guard age > 2_000_000_000, age < .max else { return }
    kept.withLock { kept in
      kept.removeAll { $0.key == cassette.name }
      kept.append((cassette.name, Kept(signature: signature, bytes: bytes, cassette: cassette)))
      while kept.count > 1, kept.reduce(0, { $0 + $1.value.bytes }) > mostBytes { kept.removeFirst() }
    }
  }

  /// The lock of one file that is being read.
  private final class Turn: Sendable {
    let lock = Locked<Void>(())
  }

  private static let turns = Locked<[String: (turn: Turn, count: Int)]>([:])

  /// Reads a file while nobody else reads it, so that tests in parallel wait for the first one and use its result.
  package static func inTurn<Result, Failure: Error>(
    _ file: String, _ read: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let turn = turns.withLock { turns in
      let turn = turns[file]?.turn ?? Turn()
      turns[file] = (turn, (turns[file]?.count ?? 0) + 1)
      return turn
    }
    defer {
      turns.withLock { turns in
        let left = (turns[file]?.count ?? 1) - 1
        if left == 0 { turns[file] = nil } else { turns[file]?.count = left }
      }
    }
    var result: Swift.Result<Result, Failure>?
    turn.lock.withLock { _ in
      do throws(Failure) { result = .success(try read()) } catch { result = .failure(error) }
    }
    guard let result else { return try read() }
    return try result.get()
  }
}
