private import CCassetteLocks

/// A value that one thread at a time uses: `Mutex`, on systems that are older than it, too.
///
/// `@unchecked Sendable`: the value is used by who holds the lock only, and freed with it, which Swift cannot see.
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
  private let lock: UnsafeMutableRawPointer
  private let value: UnsafeMutablePointer<Value>

  /// Creates a value that nobody uses yet; nothing else may refer to what it refers to.
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

  /// Uses the value while nobody else does; the use must not ask for it again.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    clocks_lock(lock)
    defer { clocks_unlock(lock) }
    return try body(&value.pointee)
  }
}
