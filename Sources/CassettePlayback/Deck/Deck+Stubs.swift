internal import CassetteHTTP
internal import CassetteSystem
package import Cassettes

/// Adding stubs and changing the state while a player plays.
extension Deck {
  /// True if stubs were added: then no recording of the library alone answers.
  package var hasStubs: Bool { state.withLock { !$0.layers.isEmpty } }

  /// The added stubs, the newest first, each with the request that played it first.
  package var stubs: [(stub: AddedStub, playedFirst: UInt64?)] { state.withLock { $0.layers }.stubs }

  /// Adds stubs before all that plays already; those of one call play one after the other.
  ///
  /// - Parameter stubs: What else answers.
  /// - Throws: Why none of them was added.
  package func add(_ stubs: [AddedStub]) throws(AddedStub.Refusal) {
    try changeStubs { layers throws(AddedStub.Refusal) in
      try layers.append(stubs)
      return []
    }
  }

  /// Puts a stub into the place of the one of its name.
  ///
  /// - Parameter stub: What answers from now on.
  /// - Returns: Whether there was one.
  package func replace(_ stub: AddedStub) -> Bool {
    var isThere = false
    changeStubs { layers in
      let free = layers.replace(stub)
      isThere = free != nil
      return free.map { [$0] } ?? []
    }
    return isThere
  }

  /// Takes out the stubs that a condition is true of.
  ///
  /// - Parameter isGone: Tells which.
  /// - Returns: How many there were.
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

  /// Changes the stubs, and forgets the places in cursors that are free then; no request waits while their tables are
  /// made.
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

  /// The number of the table of the library: it grows when another one is loaded, not when stubs are added.
  package var tableNumber: Int { state.withLock { $0.tableNumber } }

  // MARK: scenarios

  /// Returns the scenarios of recordings and stubs, each with its states.
  package func scenarios(for session: String) -> [String: Set<String>] {
    var all: [String: Set<String>] = [:]
    for table in state.withLock({ $0.tables(for: session) }) { all.merge(table.scenarios) { $0.union($1) } }
    return all
  }

  /// Returns the state that a scenario is in.
  package func state(of scenario: String, for session: String = "") -> String {
    state.withLock { $0.cursors.peek(session).state(of: scenario) }
  }

  /// Brings a scenario into a state.
  package func enter(_ state: String, of scenario: String, for session: String = "") {
    self.state.withLock { deck in
      deck.cursors.withCursor(of: session) { $0.enter([ReplayRules.State(scenario, state)]) }
    }
  }

  /// The sessions that have come some way, by name, with the recordings played and the states that scenarios are in.
  ///
  /// The name is empty for all who name none; a scenario that has not left the state it begins in is left out.
  package var sessionReports: [(name: String, played: Int, states: [String: String])] {
    state.withLock { $0.cursors }.all.map { ($0, $1.plays.count, $1.states) }.sorted { $0.0 < $1.0 }
  }

  // MARK: settings

  /// The rules for comparing requests where the files say nothing.
  package var matching: CassetteMatchingOptions { state.withLock { $0.matching } }

  /// Compares with another level from now on; positions stay.
  package func match(at level: MatchLevel?) {
    let library = state.withLock { state in
      state.matching.level = level
      return state.library
    }
    load(library)
  }
}

extension RecordingTable {
  /// The scenarios of its recordings, each with its states.
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
