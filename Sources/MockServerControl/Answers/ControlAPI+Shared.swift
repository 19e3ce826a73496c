internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMaintenance
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The parts of the journal and of cassettes that several calls use.
extension ControlAPI {
  /// Returns the kept requests of all loops, the oldest first, and the number of requests dropped for space.
  func records() -> (records: [JournalRecord], forgotten: Int) {
    var positions = server.journals.map { _ in RequestJournal.Position() }
    var (entries, forgotten) = read(after: &positions)
    // Each loop keeps as many as all of them may.
    forgotten += max(0, entries.count - RequestJournal.capacity)
    return (entries.suffix(RequestJournal.capacity).map { JournalRecord($0) }, forgotten)
  }

  /// Returns the requests of all loops after some positions, ordered by number, and the number of dropped requests.
  ///
  /// The positions are advanced past the returned requests.
  func read(
    after positions: inout [RequestJournal.Position], atMost most: Int = .max
  ) -> (entries: [RequestJournal.Entry], lost: Int) {
    var (entries, lost): ([RequestJournal.Entry], Int) = ([], 0)
    for (index, journal) in server.journals.enumerated() where journal.isPast(positions[index]) {
      let (more, missing) = journal.read(after: &positions[index], atMost: most)
      entries += more
      lost += missing
    }
    return (entries.sorted { $0.number < $1.number }, lost)
  }

  /// Returns the journal's request with the number in the path of the call.
  func record(of call: ControlCall) throws(ControlRefusal) -> JournalRecord {
    let text = call.parameters["id"] ?? ""
    if let number = UInt64(text) {
      for journal in server.journals {
        if let entry = journal.read().first(where: { $0.number == number }) { return JournalRecord(entry) }
      }
    }
    throw ControlRefusal(
      404,
      "the journal has no request \(text): it keeps the last \(RequestJournal.capacity); send the request again"
    )
  }

  /// Returns the recording or stub that was played for a request; nil if it no longer exists.
  func recording(of record: JournalRecord) -> Interaction? {
    switch record.entry.outcome {
    case .played(let number, _, _, _):
      guard let table = server.table(record.entry.table), table.entries.indices.contains(number) else { return nil }
      return table.entries[number].interaction
    case .stub(let id, _, _): return server.deck.stubs.first { $0.stub.id == id }?.stub.interaction
    case .derived, .specified, .recorded, .miss, .refused: return nil
    }
  }

  /// Returns the recordings that are most similar to a request; empty if they are no longer known.
  func nearMisses(of number: UInt64) -> [MissAcceptance.Near] {
    let shown =
      server.misses.last.last { $0.number == number }?.nearest
      ?? server.approximations.last.last { $0.number == number }.map { [$0.recording] } ?? []
    let table = server.deck.table
    return shown.map { near in
      let entry = table.entries.first { entry in
        entry.interaction.place.map { "\($0.file):\($0.line)" == near.place } ?? false
      }
      var found = MissAcceptance.Near(shown: near, origin: entry?.origin)
      if let entry, !entry.isFixture, let file = entry.interaction.place?.file, file.hasSuffix(".json") {
        found.path = file
      }
      return found
    }
  }

  /// The reason why this server cannot write to cassettes; nil if it can.
  var readOnlyReason: String? {
    if server.isReadOnly { return "this server does not write to files, because it was started with --read-only" }
    if server.redaction != nil {
      return "this server is recording: new recordings are saved to the cassette when it stops"
    }
    if let folder = server.folder, access(folder, W_OK) != 0 { return "the folder \(folder) is not writable" }
    return nil
  }

  /// Returns an interaction in the format of a cassette.
  func written(_ interaction: Interaction) throws(ControlRefusal) -> [UInt8] {
    let bytes: [UInt8]
    do throws(CassetteError) {
      bytes = try CassetteFile.bytes(of: Cassette(name: "one", interactions: [interaction]))
    } catch {
      throw ControlRefusal(500, "\(error)")
    }
    guard let tree = JSONTree(bytes), case .object(let members) = tree.root.kind,
      case .array(let list)? = members.last?.value.kind, let node = list.first
    else { return Array("null".utf8) }
    return Array(bytes[node.range])
  }

  /// Returns the path of a cassette in the served folder by its name; the file need not exist.
  func path(ofCassette name: String) throws(ControlRefusal) -> String {
    if server.isReadOnly {
      throw ControlRefusal(409, "this server does not write to files, because it was started with --read-only")
    }
    guard let folder = server.folder else {
      throw ControlRefusal(
        409, "this server has no cassette folder to write to: start it with --cassettes DIR")
    }
    let file = name.hasSuffix(".json") ? name : "\(name).json"
    if let problem = TypedFileName.problem(withPath: file) {
      throw ControlRefusal(400, "\"cassette\": \(problem)")
    }
    let path = Folder.join(folder, file)
    let parent = Folder.parent(of: path)
    guard Folder.kind(of: path) != .link, Folder.kind(of: parent) == .folder || parent == folder else {
      throw ControlRefusal(409, "\(path) is a symbolic link, or its folder does not exist")
    }
    return path
  }
}
