internal import CassetteMatching
internal import CassetteSystem
package import Cassettes

/// The part of a session that an answer may use, copied when the answer was chosen.
package struct SessionView: Sendable {
  /// The session's name; empty for requests that name none.
  package var name = ""
  /// The number of plays of the recording in the session, starting at 1.
  var turn = 1
  /// The number of identical requests in the session so far, starting at 1; counted only with a seed.
  var repetition = 1
  /// The states of the scenarios that have left their initial state.
  var states: [String: String] = [:]
  /// The counters of the session's templates.
  var counters: SessionCounters?
  /// The deck's settings when the answer was chosen.
  package var settings = PlaybackSettings()
  /// The factor by which recorded delays and gaps are shortened; 0 removes them.
  var speed = 1.0
}

/// The counters of one session that templates increment.
final class SessionCounters: Sendable {
  /// The maximum number of counters, because clients may use any names.
  private static let capacity = 10_000

  private let numbers = Locked<[String: Int]>([:])
  private let handedOut = Locked<[HandedOutName]>([])

  /// The names that templates generated, the newest last.
  var names: [HandedOutName] { handedOut.withLock { $0 } }

  /// Stores a generated name; beyond 1,000 names the oldest are dropped.
  func handOut(_ name: HandedOutName) {
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
