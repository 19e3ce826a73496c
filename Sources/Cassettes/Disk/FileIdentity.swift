internal import CassetteSystem

/// The device, number, size and times of a file: two files with equal identities have the same bytes.
package struct FileIdentity: Hashable, Sendable {
  private let numbers: [Int]

  init(_ facts: stat) {
    #if canImport(Darwin)
      let (written, changed) = (facts.st_mtimespec, facts.st_ctimespec)
    #else
      let (written, changed) = (facts.st_mtim, facts.st_ctim)
    #endif
    numbers = [
      Int(truncatingIfNeeded: facts.st_dev), Int(truncatingIfNeeded: facts.st_ino), Int(facts.st_size),
      Int(written.tv_sec), Int(written.tv_nsec), Int(changed.tv_sec), Int(changed.tv_nsec),
    ]
  }
}
