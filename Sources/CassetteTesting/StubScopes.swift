internal import CassetteSystem
import Cassettes

/// The nesting depth of the suite or test that a stub's trait was written on.
///
/// A test's traits and those it has from its suites come in one list; only where each was prepared first tells them apart.
enum StubScopes {
  private static let depths = Locked<[SourcePlace: Int]>([:])

  static func note(_ place: SourcePlace, _ depth: Int) {
    depths.withLock { $0[place] = min($0[place] ?? depth, depth) }
  }

  static func depth(of place: SourcePlace) -> Int { depths.withLock { $0[place] ?? 0 } }
}
