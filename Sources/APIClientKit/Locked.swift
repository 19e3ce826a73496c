import Foundation

/// A value that one thread at a time uses: `Mutex`, on systems that are older than it, too.
///
/// `@unchecked Sendable`: the value is read and written by who holds the lock only, which Swift cannot see.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  /// Uses the value while nobody else does; the use must not ask for it again.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
