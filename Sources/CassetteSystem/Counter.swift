private import CCassetteSystem

/// An atomic integer: a replacement for `Atomic<Int>`, for older systems.
///
/// `@unchecked Sendable`, because the compiler cannot see that the word is only accessed by atomic functions in C.
package struct Counter: ~Copyable, @unchecked Sendable {
  private let word: UnsafeMutablePointer<Int64>

  /// Creates a counter.
  package init(_ value: Int = 0) {
    word = .allocate(capacity: 1)
    word.initialize(to: Int64(value))
  }

  deinit { word.deallocate() }

  /// The value, with acquire semantics.
  package var value: Int { Int(ccounter_load(word)) }

  /// Stores a value.
  package borrowing func store(_ value: Int) { ccounter_store(word, Int64(value)) }

  /// Adds a number, and returns the new value.
  @discardableResult
  package borrowing func add(_ difference: Int) -> Int { Int(ccounter_add(word, Int64(difference))) }

  /// Stores a value, and returns the old one.
  borrowing func exchange(_ value: Int) -> Int { Int(ccounter_exchange(word, Int64(value))) }

  /// Stores a value if the current one is `expected`; returns true if it was.
  @discardableResult
  package borrowing func replace(_ expected: Int, with value: Int) -> Bool {
    ccounter_replace(word, Int64(expected), Int64(value))
  }
}

/// An atomic boolean.
package struct Flag: ~Copyable, Sendable {
  private let counter = Counter()

  /// Creates a flag that is not set.
  package init() {}

  /// True if the flag is set.
  package var isSet: Bool { counter.value != 0 }

  /// Sets the flag, and returns true if it was set before.
  @discardableResult
  package borrowing func set() -> Bool { counter.exchange(1) != 0 }

  /// Clears the flag, and returns true if it was set before.
  @discardableResult
  package borrowing func clear() -> Bool { counter.exchange(0) != 0 }
}

/// An array of atomic integers.
///
/// `@unchecked Sendable`, because the compiler cannot see that the words are only accessed by atomic functions in C.
package struct Counters: ~Copyable, @unchecked Sendable {
  private let words: UnsafeMutableBufferPointer<Int64>

  /// Creates counters with the value 0.
  package init(count: Int) {
    words = .allocate(capacity: count)
    words.initialize(repeating: 0)
  }

  deinit { words.deallocate() }

  /// Returns the value at an index, with acquire semantics.
  package func value(_ index: Int) -> Int {
    Int(ccounter_load(word(index)))
  }

  /// Stores a value at an index if the current one is `expected`; returns true if it was.
  @discardableResult
  package func replace(_ expected: Int, with value: Int, at index: Int) -> Bool {
    ccounter_replace(word(index), Int64(expected), Int64(value))
  }

  private func word(_ index: Int) -> UnsafeMutablePointer<Int64> {
    precondition(words.indices.contains(index))
    return words.baseAddress.unsafelyUnwrapped + index
  }
}
