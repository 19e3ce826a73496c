internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// The part of a session that an answer may use, taken when the answer was chosen.
package struct SessionView: Sendable {
  /// The session's name; empty for clients that name none.
  package var name = ""
  /// The number of the recording's turn, from 1.
  var turn = 1
  /// The number of identical requests in the session up to now, starting at 1; counted only with a seed.
  var repetition = 1
  /// The states of the scenarios that have left the one they begin in.
  var states: [String: String] = [:]
  /// The counters of its templates.
  var counters: SessionCounters?
  /// The deck's settings at that time.
  var settings = PlaybackSettings()
}

/// The counters that templates move on, of one session.
final class SessionCounters: Sendable {
  /// The most names: a client may make them up.
  private static let capacity = 10_000

  private let numbers = Locked<[String: Int]>([:])
  private let handedOut = Locked<[HandedOutName]>([])

  /// The names that templates gave out, the newest last.
  var names: [HandedOutName] { handedOut.withLock { $0 } }

  /// Keeps a name; of very many the newest.
  func handOut(_ name: HandedOutName) {
    handedOut.withLock { names in
      names.removeAll { $0 == name }
      names.append(name)
      if names.count > 1_000 { names.removeFirst(names.count - 1_000) }
    }
  }

  /// The next number of a name, or the first; nil when there are too many names.
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
