internal import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// Adding stubs, and changing the state of scenarios and settings during playback.
extension Deck {
  /// True if stubs were added, so that the library alone cannot determine an answer.
  package var hasStubs: Bool { state.withLock { !$0.layers.isEmpty } }

  /// The added stubs, the newest first, each with the number of the request that first played it.
  package var stubs: [(stub: AddedStub, playedFirst: UInt64?)] { state.withLock { $0.layers }.stubs }

  /// Adds stubs that take precedence over all others; the stubs of one call play one after the other.
  package func add(_ stubs: [AddedStub]) throws(AddedStub.Refusal) {
    try changeStubs { layers throws(AddedStub.Refusal) in
      try layers.append(stubs)
      return []
    }
  }

  /// Replaces the stub with the same name.
  ///
  /// Returns true if a stub with this name existed.
  package func replace(_ stub: AddedStub) -> Bool {
    var isThere = false
    changeStubs { layers in
      let free = layers.replace(stub)
      isThere = free != nil
      return free.map { [$0] } ?? []
    }
    return isThere
  }

  /// Removes the stubs that satisfy a condition.
  ///
  /// - Parameter isGone: Returns true for a stub to remove.
  /// - Returns: The number of removed stubs.
  @discardableResult
  package func removeStubs(where isGone: (AddedStub) -> Bool) -> Int {
    guard hasStubs else { return 0 }
    var count = 0
    changeStubs { layers in
      let free = layers.remove(where: isGone)
      count = free.count
      return free
    }
    return count
  }

  /// Changes the stubs, and removes their unused cursor positions; requests do not wait while the tables are built.
  private func changeStubs<Failure>(_ change: (inout StubLayers) throws(Failure) -> [Int]) throws(Failure) {
    try steering.withLock { _ throws(Failure) in
      var layers = state.withLock { $0.layers }
      let free = try change(&layers)
      state.withLock { state in
        state.layers = layers
        if !free.isEmpty { state.cursors.forget(Set(free)) }
      }
    }
    generation.add(1)
  }

  /// The number of the library's table, which increases when another library is loaded, but not when stubs are added.
  package var tableNumber: Int { state.withLock { $0.tableNumber } }

  // MARK: scenarios

  /// Returns the scenarios of recordings and stubs, each with its states.
  package func scenarios(for session: String) -> [String: Set<String>] {
    var all: [String: Set<String>] = [:]
    for table in state.withLock({ $0.tables(for: session) }) { all.merge(table.scenarios) { $0.union($1) } }
    return all
  }

  /// Returns the current state of a scenario.
  package func state(of scenario: String, for session: String = "") -> String {
    state.withLock { $0.cursors.peek(session).state(of: scenario) }
  }

  /// Sets the state of a scenario.
  package func enter(_ state: String, of scenario: String, for session: String = "") {
    self.state.withLock { deck in
      deck.cursors.withCursor(of: session) { $0.enter([ReplayRules.State(scenario, state)]) }
    }
  }

  /// The sessions that have positions, by name, with the number of played recordings and the states of scenarios.
  ///
  /// The name is empty for requests that name no session; scenarios in their initial state are omitted.
  package var sessionReports: [(name: String, played: Int, states: [String: String])] {
    state.withLock { $0.cursors }.all.map { ($0, $1.plays.count, $1.states) }.sorted { $0.0 < $1.0 }
  }

  // MARK: settings

  /// The rules for comparing requests, unless a file overrides them.
  package var matching: CassetteMatchingOptions { state.withLock { $0.matching } }

  /// Changes the level of comparison; sessions keep their positions.
  package func match(at level: MatchLevel?) {
    let library = state.withLock { state in
      state.matching.level = level
      return state.library
    }
    load(library)
  }
}

extension RecordingTable {
  /// The scenarios of the table's recordings, each with its states.
  fileprivate var scenarios: [String: Set<String>] {
    var all: [String: Set<String>] = [:]
    for rules in plays.values {
      for state in rules.when + rules.then {
        all[state.scenario, default: [ReplayRules.State.start]].insert(state.state)
      }
    }
    return all
  }
}
