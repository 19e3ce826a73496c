internal import CassetteHTTP
internal import CassetteMaintenance
package import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The state of the control API between calls: proposed and written edits, counted plays, and logins.
package final class ControlMemory: Sendable {
  /// An edit and its state.
  struct Edit: Sendable {
    enum State: String, Sendable {
      case proposed, written, undone
    }

    let number: Int
    let edit: CassetteEdit
    /// The kind of acceptance: `ignore`, `copy` or `upstream`.
    let how: String
    /// The number of the request for which the edit was proposed.
    let request: Int
    /// True if the edited cassette answers the request.
    let answers: Bool
    var state = State.proposed

    fileprivate var size: Int { edit.after.count + (edit.before?.count ?? 0) }
  }

  private struct State: Sendable {
    var last = 0
    var edits: [Edit] = []
    var logins: [String] = []
    var plays: [PlayedName: Int] = [:]
    var gates: [(name: String, expected: ExpectedRequest, gate: CassetteGate)] = []
    var hasHadGates = false
  }

  /// The maximum number of edits in memory, and the maximum size of their files in bytes.
  private static let mostEdits = 100
  private static let mostBytes = 64 << 20
  /// The maximum number of logins.
  private static let mostLogins = 100

  private let state = Locked(State())

  /// Creates an empty state.
  package init() {}

  // MARK: Edits

  /// The edits in memory, the oldest first.
  var edits: [Edit] { state.withLock { $0.edits } }

  func edit(_ number: Int) -> Edit? { state.withLock { $0.edits.first { $0.number == number } } }

  /// Stores an edit, and removes the oldest edits if there is no space.
  func add(_ edit: CassetteEdit, _ how: String, for request: Int, answers: Bool) -> Edit {
    state.withLock { state in
      state.last += 1
      let kept = Edit(number: state.last, edit: edit, how: how, request: request, answers: answers)
      state.edits.append(kept)
      while state.edits.count > Self.mostEdits
        || state.edits.count > 1 && state.edits.reduce(0, { $0 + $1.size }) > Self.mostBytes
      {
        state.edits.removeFirst()
      }
      return kept
    }
  }

  /// Updates the state of an edit.
  func note(_ number: Int, _ become: Edit.State) {
    state.withLock { state in
      guard let index = state.edits.firstIndex(where: { $0.number == number }) else { return }
      state.edits[index].state = become
    }
  }

  // MARK: Gates

  /// The maximum number of gates.
  private static let mostGates = 100

  /// Adds a gate; returns nil if a gate with this name exists, or the maximum number is reached.
  ///
  /// - Returns: The gate, and true if it is the first gate since the server started.
  func addGate(_ name: String, for expected: ExpectedRequest) -> (gate: CassetteGate, isFirst: Bool)? {
    state.withLock { state in
      guard state.gates.count < Self.mostGates, !state.gates.contains(where: { $0.name == name }) else { return nil }
      let gate = CassetteGate()
      state.gates.insert((name, expected, gate), at: 0)
      defer { state.hasHadGates = true }
      return (gate, !state.hasHadGates)
    }
  }

  /// Returns the newest gate for a request; nil if no gate holds its response.
  func gate(for request: HTTPRequest) -> CassetteGate? {
    state.withLock { $0.gates }.first { $0.expected.accepts(request) }?.gate
  }

  func gate(named name: String) -> CassetteGate? { state.withLock { $0.gates.first { $0.name == name }?.gate } }

  /// The names of all gates.
  var gateNames: [String] { state.withLock { $0.gates.map(\.name) } }

  func removeGate(_ name: String) { state.withLock { $0.gates.removeAll { $0.name == name } } }

  /// Releases and removes all gates.
  package func releaseGates() {
    let gates = state.withLock { state in
      defer { state.gates = [] }
      return state.gates.map(\.gate)
    }
    for gate in gates { gate.open(failingWith: nil) }
  }

  // MARK: Plays

  /// The cassette and the id of a played recording or stub.
  package struct PlayedName: Hashable, Sendable {
    let cassette: String
    let id: String

    /// Returns the name of a stub, which belongs to no cassette.
    static func stub(_ id: String) -> PlayedName { PlayedName(cassette: "", id: id) }
  }

  /// Counts the plays of each recording and stub, by cassette and id, since the start or reset; edits of files keep
  /// them.
  package func plays(countedBy journals: [EventRing], of table: (Int) -> RecordingTable?) -> [PlayedName: Int] {
    state.withLock { state in
      for tally in journals.map({ $0.takePlays() }) {
        for (number, counts) in tally.recordings {
          guard let entries = table(number)?.entries else { continue }
          for (entry, count) in zip(entries, counts) where count > 0 {
            state.plays[PlayedName(cassette: entry.cassette, id: entry.interaction.id), default: 0] += count
          }
        }
        for (id, count) in tally.stubs {
          state.plays[.stub(id), default: 0] += count
        }
      }
      return state.plays
    }
  }

  /// Resets the counts of all plays.
  ///
  /// - Parameter ids: The ids of the stubs whose counts are reset; nil (the default) to reset all counts.
  package func forgetPlays(ofStubs ids: [String]? = nil) {
    state.withLock { state in
      if ids == nil { state.plays = [:] }
      for id in ids ?? [] { state.plays[.stub(id)] = nil }
    }
  }

  // MARK: Logins

  /// Creates a login, and returns the random pass that a browser sends instead of the token.
  func logIn() -> String {
    // 128 bits from the system's secure random number generator.
    let pass = (0..<2).map { _ in
      let text = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    state.withLock { state in
      state.logins.append(pass)
      if state.logins.count > Self.mostLogins { state.logins.removeFirst() }
    }
    return pass
  }

  func logOut(_ pass: String) { state.withLock { state in state.logins.removeAll { $0 == pass } } }

  func isLoggedIn(_ pass: String) -> Bool {
    state.withLock { $0.logins.contains { Self.isSame(Array($0.utf8), Array(pass.utf8)) } }
  }

  /// Compares two secrets in constant time.
  static func isSame(_ expected: [UInt8], _ sent: [UInt8]) -> Bool {
    var difference = UInt8(expected.count == sent.count ? 0 : 1)
    for index in expected.indices { difference |= expected[index] ^ (index < sent.count ? sent[index] : 0) }
    return difference == 0
  }
}
