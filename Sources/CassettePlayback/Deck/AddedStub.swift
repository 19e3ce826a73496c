internal import CassetteSystem
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
///
/// Each session has several tables, each at least twice as large as the next. A new stub is indexed with the small tables
/// only: with one table, adding a stub to 3,000 others took 10 ms.
struct StubLayers: Sendable {
  /// The maximum number of stubs in a deck.
  static let most = 10_000

  private struct Added: Sendable {
    let stub: AddedStub
    /// The position in cursors; negative, so that it differs from the positions of recordings.
    let position: Int
    /// The number of the call that added the stub; the stubs of one call play one after the other.
    let batch: Int
  }

  /// The stubs of some calls, and their table; all stubs of one call and session are in one part.
  private struct Part: Sendable {
    let added: [Added]
    let table: RecordingTable

    init(_ added: [Added], marks: [RecordingTable]) {
      self.added = added
      // The stubs of one call form a cassette, whose recordings play one after the other.
      let batches = Dictionary(grouping: added, by: \.batch).sorted { $0.key > $1.key }
      let cassettes = batches.map { _, batch in
        var cassette = Cassette(name: batch.first?.stub.cassette ?? "")
        cassette.interactions = batch.map(\.stub.interaction)
        return cassette
      }
      table = RecordingTable(
        CassetteLibrary(cassettes: cassettes), added: batches.map { ($0.key, $0.value.map(\.position)) })
      for old in marks { table.takeMarks(of: old, by: \.position) }
    }
  }

  /// The parts by session name, the oldest first; the empty name is for all sessions.
  private var parts: [String: [Part]] = [:]
  /// The session of each stub, by the stub's name.
  private var sessions: [String: String] = [:]
  private var lastPosition = 0
  private var lastBatch = 0

  /// The number of stubs.
  var count: Int { sessions.count }

  /// The stubs, the newest call first, and the stubs of one call in the order of the call.
  var stubs: [(stub: AddedStub, playedFirst: UInt64?)] {
    var marks: [Int: UInt64] = [:]
    for part in parts.values.joined() { marks.merge(part.table.firstPlays) { mark, _ in mark } }
    return parts.values.joined().flatMap(\.added).sorted { ($0.batch, $0.position) > ($1.batch, $1.position) }
      .map { ($0.stub, marks[$0.position]) }
  }

  /// Returns the stub with a name.
  func stub(named id: String) -> AddedStub? {
    guard let session = sessions[id] else { return nil }
    return parts[session]?.lazy.flatMap(\.added).first { $0.stub.id == id }?.stub
  }

  /// Returns a name that no stub has: the given name, or the name with a number.
  ///
  /// The search doubles the number until a name is free, so that thousands of stubs for one request do not slow it down.
  func freeName(for name: String, besides taken: Set<String>) -> String {
    func isTaken(_ name: String) -> Bool { sessions[name] != nil || taken.contains(name) }
    guard isTaken(name) else { return name }
    var (used, free) = (1, 2)
    while isTaken("\(name)-\(free)") { (used, free) = (free, free * 2) }
    while free - used > 1 {
      let middle = (used + free) / 2
      if isTaken("\(name)-\(middle)") { used = middle } else { free = middle }
    }
    return "\(name)-\(free)"
  }

  /// Returns the tables of a session, the oldest first.
  func tables(of session: String) -> [RecordingTable] { parts[session]?.map(\.table) ?? [] }

  /// Adds the stubs of one call.
  ///
  /// - Returns: The sessions whose tables changed.
  mutating func append(_ stubs: [AddedStub]) throws(AddedStub.Refusal) -> Set<String> {
    guard count + stubs.count <= Self.most else { throw .tooMany }
    var names: Set<String> = []
    for stub in stubs where sessions[stub.id] != nil || !names.insert(stub.id).inserted { throw .taken(stub.id) }
    lastBatch += 1
    var added: [String: [Added]] = [:]
    for stub in stubs {
      lastPosition -= 1
      added[stub.session ?? "", default: []].append(Added(stub: stub, position: lastPosition, batch: lastBatch))
    }
    for (session, added) in added { insert(added, in: session) }
    return Set(added.keys)
  }

  /// Replaces the stub with the same name.
  ///
  /// - Returns: The cursor position that is no longer used, and the sessions whose tables changed; nil if no stub has this
  ///   name.
  mutating func replace(_ stub: AddedStub) -> (free: Int, sessions: Set<String>)? {
    guard let before = sessions[stub.id],
      let old = parts[before]?.lazy.flatMap(\.added).first(where: { $0.stub.id == stub.id })
    else { return nil }
    lastPosition -= 1
    let (new, session) = (Added(stub: stub, position: lastPosition, batch: old.batch), stub.session ?? "")
    let index = parts[session]?.firstIndex { $0.added.contains { $0.batch == old.batch } }
    if let index, let part = parts[session]?[index] {
      var added = part.added
      if let place = added.firstIndex(where: { $0.position == old.position }) {
        added[place] = new
      } else {
        added.append(new)
      }
      parts[session]?[index] = Part(added, marks: [part.table])
      sessions[stub.id] = session
    } else {
      insert([new], in: session)
    }
    if before != session { _ = remove(in: before) { $0.position == old.position } }
    return (old.position, [before, session])
  }

  /// Removes stubs.
  ///
  /// - Returns: The cursor positions that are no longer used, and the sessions whose tables changed.
  mutating func remove(where isGone: (AddedStub) -> Bool) -> (free: [Int], sessions: Set<String>) {
    var all: (free: [Int], sessions: Set<String>) = ([], [])
    for session in parts.keys {
      let gone = remove(in: session) { isGone($0.stub) }
      if gone.isEmpty { continue }
      for added in gone { sessions[added.stub.id] = nil }
      all.free += gone.map(\.position)
      all.sessions.insert(session)
    }
    return all
  }

  private mutating func remove(in session: String, where isGone: (Added) -> Bool) -> [Added] {
    var removed: [Added] = []
    let left = (parts[session] ?? []).compactMap { part -> Part? in
      let gone = part.added.filter(isGone)
      if gone.isEmpty { return part }
      removed += gone
      if gone.count == part.added.count { return nil }
      let positions = Set(gone.map(\.position))
      return Part(part.added.filter { !positions.contains($0.position) }, marks: [part.table])
    }
    parts[session] = left.isEmpty ? nil : left
    return removed
  }

  /// Adds stubs to a session in a new table, which absorbs older tables of less than twice its size.
  private mutating func insert(_ stubs: [Added], in session: String) {
    for added in stubs { sessions[added.stub.id] = session }
    var (all, marks) = (stubs, [RecordingTable]())
    while let last = parts[session]?.last, last.added.count < 2 * all.count {
      all = last.added + all
      marks.append(last.table)
      parts[session]?.removeLast()
    }
    parts[session, default: []].append(Part(all, marks: marks))
  }
}

/// Adding stubs during playback.
extension Deck {
  /// True if stubs were added, so that the library alone cannot determine an answer.
  var hasStubs: Bool { state.withLock { !$0.stubTables.isEmpty } }

  /// The added stubs, the newest first, each with the number of the request that first played it.
  package var stubs: [(stub: AddedStub, playedFirst: UInt64?)] { added.withLock { $0.stubs } }

  /// The number of added stubs.
  package var stubCount: Int { added.withLock { $0.count } }

  /// Returns the stub with a name; nil if there is none.
  package func stub(named id: String) -> AddedStub? { added.withLock { $0.stub(named: id) } }

  /// Returns a name that no stub has and that is not among the given names: a name, or the name with a number.
  package func freeStubName(for name: String, besides taken: Set<String>) -> String {
    added.withLock { $0.freeName(for: name, besides: taken) }
  }

  /// Adds stubs that take precedence over all others; the stubs of one call play one after the other.
  package func add(_ stubs: [AddedStub]) throws(AddedStub.Refusal) {
    try changeStubs { layers throws(AddedStub.Refusal) in ([], try layers.append(stubs)) }
  }

  /// Replaces the stub with the same name.
  ///
  /// Returns true if a stub with this name existed.
  package func replace(_ stub: AddedStub) -> Bool {
    var isThere = false
    changeStubs { layers in
      guard let change = layers.replace(stub) else { return ([], []) }
      isThere = true
      return ([change.free], change.sessions)
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
      let change = layers.remove(where: isGone)
      count = change.free.count
      return change
    }
    return count
  }

  /// Changes the stubs, publishes the tables of the changed sessions, and removes unused cursor positions.
  private func changeStubs<Failure>(
    _ change: (inout StubLayers) throws(Failure) -> (free: [Int], sessions: Set<String>)
  ) throws(Failure) {
    try added.withLock { layers throws(Failure) in
      let (free, sessions) = try change(&layers)
      let tables = sessions.map { ($0, layers.tables(of: $0)) }
      state.withLock { state in
        for (session, tables) in tables { state.stubTables[session] = tables.isEmpty ? nil : tables }
        if !free.isEmpty { state.cursors.forget(Set(free)) }
      }
    }
    generation.add(1)
  }
}

extension RecordingTable {
  /// The number of the request that first played each recording, by cursor position.
  fileprivate var firstPlays: [Int: UInt64] { firstPlays(by: \.position) }

  private func firstPlays<Key: Hashable>(by key: (Entry) -> Key) -> [Key: UInt64] {
    let played = entries.indices.compactMap { number in firstPlayed(number).map { (key(entries[number]), $0) } }
    return Dictionary(played) { first, _ in first }
  }

  /// Copies the first plays of recordings from another table.
  ///
  /// - `key`: The key that is equal for the same recording in both tables.
  func takeMarks<Key: Hashable>(of old: RecordingTable, by key: (Entry) -> Key) {
    let plays = old.firstPlays(by: key)
    guard !plays.isEmpty else { return }
    for number in entries.indices { if let request = plays[key(entries[number])] { mark(number, by: request) } }
  }
}
