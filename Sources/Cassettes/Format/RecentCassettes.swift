internal import CassetteSystem

/// The cassettes that were read last, so that a hundred tests that play one file read it once.
package enum RecentCassettes {
  private struct Kept {
    let signature: String
    let bytes: Int
    let cassette: Cassette
  }

  /// The most bytes of files that are kept together.
  private static let mostBytes = 32 << 20
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
    guard bytes <= mostBytes, age > 2_000_000_000, age < .max else { return }
    kept.withLock { kept in
      kept.removeAll { $0.key == cassette.name }
      kept.append((cassette.name, Kept(signature: signature, bytes: bytes, cassette: cassette)))
      while kept.reduce(0, { $0 + $1.value.bytes }) > mostBytes { kept.removeFirst() }
    }
  }
}
