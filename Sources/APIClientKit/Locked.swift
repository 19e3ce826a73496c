import Foundation

/// A value protected by a lock, like `Mutex`, for systems that lack that type.
///
/// `@unchecked Sendable`: only the holder of the lock accesses the value, which the compiler cannot check.
final class Locked<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  /// Calls a function with exclusive access to the value.
  ///
  /// The function must not call `withLock` again.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&value) }
  }
}
