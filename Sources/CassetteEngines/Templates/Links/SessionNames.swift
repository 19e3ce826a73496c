internal import CassetteSystem
internal import Cassettes

/// The counters and generated names of one session.
final class SessionNames: TemplateMemory {
  /// The maximum number of counters, because clients may use any names.
  private static let capacity = 10_000

  private let numbers = Locked<[String: Int]>([:])
  private let handedOut = Locked<[GeneratedName]>([])

  /// The names that templates generated, the newest last.
  var names: [GeneratedName] { handedOut.withLock { $0 } }

  /// Stores a generated name; beyond 1,000 names the oldest are dropped.
  func handOut(_ name: GeneratedName) {
    handedOut.withLock { names in
      names.removeAll { $0 == name }
      names.append(name)
      if names.count > 1_000 { names.removeFirst(names.count - 1_000) }
    }
  }

  /// Returns the next number of a counter, or the first; nil if there are too many counters.
  func next(_ name: String, from start: Int, by step: Int) -> Int? {
    numbers.withLock { numbers in
      guard let last = numbers[name] else {
        guard numbers.count < Self.capacity else { return nil }
        numbers[name] = start
        return start
      }
      let number = last &+ step
      numbers[name] = number
      return number
    }
  }
}
