package import Cassettes

/// An interaction that is added during playback, and that answers before every recording and fixture.
package struct AddedStub: Sendable {
  /// The unique name of the stub.
  package let id: String
  /// The session whose requests the stub answers; nil for all sessions.
  package let session: String?
  /// True if a complete reset keeps the stub.
  package let isKept: Bool
  /// The request and its response.
  package let interaction: Interaction
  /// The name of the cassette that reports show for the stub.
  package let cassette: String

  /// Creates a stub that is not yet added to a deck.
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
    /// A stub with this name exists already.
    case taken(String)
    /// The maximum number of stubs is reached.
    case tooMany
  }
}

/// The stubs that were added to a deck, and the tables that contain them.
struct StubLayers: Sendable {
  /// The maximum number of stubs in a deck.
  static let most = 10_000

  private struct Added: Sendable {
    var stub: AddedStub
    /// The position in cursors; negative, so that it differs from the positions of recordings.
    let position: Int
    /// The number of the call that added the stub; the stubs of one call play one after the other.
    let batch: Int
  }

  /// The stubs in the order in which they were added.
  private var added: [Added] = []
  private var lastPosition = 0
  private var lastBatch = 0
  /// The tables by session name; the empty name is for all sessions.
  private(set) var tables: [String: RecordingTable] = [:]

  var isEmpty: Bool { added.isEmpty }

  /// The stubs, the newest call first, and the stubs of one call in the order of the call.
  var stubs: [(stub: AddedStub, playedFirst: UInt64?)] {
    var marks: [Int: UInt64] = [:]
    for table in tables.values { marks.merge(table.firstPlays) { mark, _ in mark } }
    return added.sorted { ($0.batch, $0.position) > ($1.batch, $1.position) }
      .map { ($0.stub, marks[$0.position]) }
  }

  /// Returns the tables that precede the library for a session: the session's table, then the table of all sessions.
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

  /// Replaces the stub with the same name.
  ///
  /// - Returns: The cursor position that is no longer used; nil if no stub has this name.
  mutating func replace(_ stub: AddedStub) -> Int? {
    guard let index = added.firstIndex(where: { $0.stub.id == stub.id }) else { return nil }
    let old = added[index]
    lastPosition -= 1
    added[index] = Added(stub: stub, position: lastPosition, batch: old.batch)
    build([old.stub.session ?? "", stub.session ?? ""])
    return old.position
  }

  /// Removes stubs.
  ///
  /// - Returns: The cursor positions that are no longer used.
  mutating func remove(where isGone: (AddedStub) -> Bool) -> [Int] {
    let gone = added.filter { isGone($0.stub) }
    guard !gone.isEmpty else { return [] }
    added.removeAll { isGone($0.stub) }
    build(Set(gone.map { $0.stub.session ?? "" }))
    return gone.map(\.position)
  }

  private mutating func build(_ sessions: Set<String>) {
    for session in sessions {
      // The stubs of one call form a cassette, whose recordings play one after the other; the newest call comes first.
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
  /// The number of the request that first played each recording, by cursor position.
  fileprivate var firstPlays: [Int: UInt64] {
    var plays: [Int: UInt64] = [:]
    for number in entries.indices { plays[entries[number].position] = firstPlayed(number) }
    return plays
  }

  /// Copies the first plays of recordings with the same positions from another table.
  func takeMarks(of old: RecordingTable) {
    let plays = old.firstPlays
    for number in entries.indices { if let request = plays[entries[number].position] { mark(number, by: request) } }
  }
}
