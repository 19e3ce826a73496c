private import CCassetteSystem

/// A value protected by a lock: a replacement for `Mutex`, for older systems.
///
/// `@unchecked Sendable`, because the compiler cannot see that the value is only accessed by the holder of the lock.
package struct Locked<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let lock: UnsafeMutableRawPointer
  private let value: UnsafeMutablePointer<Value>

  /// Creates a protected value; the caller must not keep references to its contents.
  package init(_ value: consuming sending Value) {
    lock = clocks_make()
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    clocks_free(lock)
  }

  /// Calls a closure with exclusive access to the value.
  ///
  /// The lock is not recursive.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    clocks_lock(lock)
    defer { clocks_unlock(lock) }
    return try body(&value.pointee)
  }
}
