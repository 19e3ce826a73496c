internal import CassetteSystem
import Cassettes

/// The nesting depth of the suite or test that has a stub's trait.
///
/// A test's list of traits includes the traits of its suites; the suite or test for which a trait was first prepared
/// distinguishes them.
enum StubScopes {
  private static let depths = Locked<[SourcePlace: Int]>([:])

  static func note(_ place: SourcePlace, _ depth: Int) {
    depths.withLock { $0[place] = min($0[place] ?? depth, depth) }
  }

  static func depth(of place: SourcePlace) -> Int { depths.withLock { $0[place] ?? 0 } }
}
