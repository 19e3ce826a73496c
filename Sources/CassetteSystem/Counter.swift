private import CCassetteLocks

/// A number that threads read and write without waiting: `Atomic<Int>`, on systems that are older than it, too.
///
/// `@unchecked Sendable`: the word is read and written by atomic functions of C alone, which Swift cannot see.
package struct Counter: ~Copyable, @unchecked Sendable {
  private let word: UnsafeMutablePointer<Int64>

  /// Creates a counter.
  package init(_ value: Int = 0) {
    word = .allocate(capacity: 1)
    word.initialize(to: Int64(value))
  }

  deinit { word.deallocate() }

  /// The number, with all that was written before it.
  package var value: Int { Int(ccounter_load(word)) }

  /// Writes the number.
  package borrowing func store(_ value: Int) { ccounter_store(word, Int64(value)) }

  /// Adds a difference, and returns the new number.
  @discardableResult
  package borrowing func add(_ difference: Int) -> Int { Int(ccounter_add(word, Int64(difference))) }

  /// Writes the number, and returns the old one.
  package borrowing func exchange(_ value: Int) -> Int { Int(ccounter_exchange(word, Int64(value))) }

  /// Writes the number if it is the expected one, and tells if it was.
  @discardableResult
  package borrowing func replace(_ expected: Int, with value: Int) -> Bool {
    ccounter_replace(word, Int64(expected), Int64(value))
  }
}

/// A yes or no that threads read and write without waiting.
package struct Flag: ~Copyable, Sendable {
  private let counter = Counter()

  /// Creates a flag that is not set.
  package init() {}

  /// True if it is set.
  package var isSet: Bool { counter.value != 0 }

  /// Sets it, and tells if it was set before.
  @discardableResult
  package borrowing func set() -> Bool { counter.exchange(1) != 0 }

  /// Takes it back, and tells if it was set before.
  @discardableResult
  package borrowing func clear() -> Bool { counter.exchange(0) != 0 }
}

/// Numbers that threads read and write without waiting, side by side in memory.
///
/// `@unchecked Sendable`: the words are read and written by atomic functions of C alone, which Swift cannot see.
package struct Counters: ~Copyable, @unchecked Sendable {
  private let words: UnsafeMutableBufferPointer<Int64>

  /// Creates counters that begin with 0.
  package init(count: Int) {
    words = .allocate(capacity: count)
    words.initialize(repeating: 0)
  }

  deinit { words.deallocate() }

  /// Returns one of the numbers, with all that was written before it.
  package func value(_ index: Int) -> Int {
    Int(ccounter_load(word(index)))
  }

  /// Writes a number if it is the expected one, and tells if it was.
  @discardableResult
  package func replace(_ expected: Int, with value: Int, at index: Int) -> Bool {
    ccounter_replace(word(index), Int64(expected), Int64(value))
  }

  private func word(_ index: Int) -> UnsafeMutablePointer<Int64> {
    precondition(words.indices.contains(index))
    return words.baseAddress.unsafelyUnwrapped + index
  }
}
