package import Cassettes

/// An interaction that is added while a player plays, and answers before every recording and fixture.
package struct AddedStub: Sendable {
  /// A name that no other has.
  package let id: String
  /// The session whose requests the stub answers; nil for all sessions.
  package let session: String?
  /// True if the stub stays when everything is reset.
  package let isKept: Bool
  /// The request, and what it is answered.
  package let interaction: Interaction
  /// The cassette that it is said to be of.
  package let cassette: String

  /// Creates a stub, not added to anything yet.
  package init(
    id: String, session: String? = nil, isKept: Bool = false, _ interaction: Interaction, cassette: String
  ) {
    (self.id, self.session, self.isKept, self.cassette) = (id, session, isKept, cassette)
    var named = interaction
    if named.id != id { named.id = id }
    self.interaction = named
  }

  /// The reason why stubs were not added.
  package enum Refusal: Error, Equatable {
    /// There is one of that name.
    case taken(String)
    /// There are as many as there may be.
    case tooMany
  }
}

/// The stubs that were added to a deck, and the tables that answer from them.
struct StubLayers: Sendable {
  /// The most stubs that a deck takes.
  static let most = 10_000

  private struct Added: Sendable {
    var stub: AddedStub
    /// The position in cursors; below zero, where no recording of the library is.
    let position: Int
    /// The number of the call that added it; stubs of one call play one after the other.
    let batch: Int
  }

  /// The oldest first.
  private var added: [Added] = []
  private var lastPosition = 0
  private var lastBatch = 0
  /// The tables by session; the empty name is that of all sessions.
  private(set) var tables: [String: RecordingTable] = [:]

  var isEmpty: Bool { added.isEmpty }

  /// The newest first; what was added at once in its own order.
  var stubs: [(stub: AddedStub, playedFirst: UInt64?)] {
    var marks: [Int: UInt64] = [:]
    for table in tables.values { marks.merge(table.firstPlays) { mark, _ in mark } }
    return added.sorted { ($0.batch, $0.position) > ($1.batch, $1.position) }
      .map { ($0.stub, marks[$0.position]) }
  }

  /// Returns the tables that come before the library for a session: its own, then those of all sessions.
  func tables(for session: String) -> [RecordingTable] {
    if tables.isEmpty { return [] }
    let own = session.isEmpty ? nil : tables[session]
    return [own, tables[""]].compactMap(\.self)
  }

  mutating func append(_ stubs: [AddedStub]) throws(AddedStub.Refusal) {
    guard added.count + stubs.count <= Self.most else { throw .tooMany }
    var names = Set(added.map(\.stub.id))
    for stub in stubs where !names.insert(stub.id).inserted { throw .taken(stub.id) }
    lastBatch += 1
    for stub in stubs {
      lastPosition -= 1
      added.append(Added(stub: stub, position: lastPosition, batch: lastBatch))
    }
    build(Set(stubs.map { $0.session ?? "" }))
  }

  /// Puts a stub into the place of the one with its name.
  ///
  /// - Returns: The place in cursors that is free now; nil when there is no such stub.
  mutating func replace(_ stub: AddedStub) -> Int? {
    guard let index = added.firstIndex(where: { $0.stub.id == stub.id }) else { return nil }
    let old = added[index]
    lastPosition -= 1
    added[index] = Added(stub: stub, position: lastPosition, batch: old.batch)
    build([old.stub.session ?? "", stub.session ?? ""])
    return old.position
  }

  /// Takes stubs out.
  ///
  /// - Returns: The places in cursors that are free now.
  mutating func remove(where isGone: (AddedStub) -> Bool) -> [Int] {
    let gone = added.filter { isGone($0.stub) }
    guard !gone.isEmpty else { return [] }
    added.removeAll { isGone($0.stub) }
    build(Set(gone.map { $0.stub.session ?? "" }))
    return gone.map(\.position)
  }

  private mutating func build(_ sessions: Set<String>) {
    for session in sessions {
      // What was added at once is a cassette, whose recordings play one after the other; the newest comes first.
      let own = Dictionary(grouping: added.filter { ($0.stub.session ?? "") == session }, by: \.batch)
      let batches = own.sorted { $0.key > $1.key }.map { $0.value }
      let old = tables[session]
      tables[session] = nil
      if batches.isEmpty { continue }
      let cassettes = batches.map { batch in
        var cassette = Cassette(name: batch.first?.stub.cassette ?? "")
        cassette.interactions = batch.map(\.stub.interaction)
        return cassette
      }
      let table = RecordingTable(CassetteLibrary(cassettes: cassettes), positions: batches.map { $0.map(\.position) })
      if let old { table.takeMarks(of: old) }
      tables[session] = table
    }
  }
}

extension RecordingTable {
  /// The requests that played recordings first, by the places of these in cursors.
  fileprivate var firstPlays: [Int: UInt64] {
    var plays: [Int: UInt64] = [:]
    for number in entries.indices { plays[entries[number].position] = firstPlayed(number) }
    return plays
  }

  /// Takes over which recordings have played, by their positions.
  func takeMarks(of old: RecordingTable) {
    let plays = old.firstPlays
    for number in entries.indices { if let request = plays[entries[number].position] { mark(number, by: request) } }
  }
}
