internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

extension ValueLinks {
  /// The names that templates among the entries of a table give out.
  init(of entries: [RecordingTable.Entry], _ templates: [Int: AnswerTemplate]) {
    self.init(
      entries.map { entry in
        Entry(
          entry.interaction, home: "\(entry.cassette) \(entry.origin ?? "")",
          path: RecordedChanges.path(of: entry.interaction.pathAndQuery))
      }, templates: templates.keys, created: CreatedName.of)
  }
}

extension Deck {
  /// A request in the names of the recordings, where it has those that were handed out in its session.
  ///
  /// - Returns: The request as it was recorded, and the names that stood in their place; nil where there are none.
  func recorded(_ request: HTTPRequest, session: String) -> (request: HTTPRequest, names: [HandedOutName])? {
    let names = state.withLock { state -> [HandedOutName] in
      if state.table.links.isEmpty { return [] }
      return state.rack.peek(session).counters?.names ?? []
    }
    var (recorded, used) = (request, [HandedOutName]())
    for name in names.reversed() {
      guard let other = name.recorded(recorded) else { continue }
      recorded = other
      used.append(name)
    }
    return used.isEmpty ? nil : (recorded, used)
  }
}

extension Playback {
  /// Keeps the name that a template has given out, and puts those in that were given out before.
  func link(_ played: inout PlayedResponse) {
    guard table.links.concerns(entry), let counters = session.counters else { return }
    if let link = table.links.all.first(where: { $0.source == entry }) {
      if case .bytes(let bytes) = played.body, let name = CreatedName.of(played.headers, bytes) {
        counters.handOut(HandedOutName(link, name))
      }
      return
    }
    // What was asked for, else what was given out last; a client that asks for the recorded name gets it.
    var names = handedOut
    for name in counters.names.reversed() where !names.contains(where: { $0.link.recorded == name.link.recorded }) {
      if !asked.target.text.contains(name.link.recorded) { names.append(name) }
    }
    for change in names.map(\.answered) {
      for field in ["Location", "Content-Location", "Link"] {
        played.headers = HTTPHeaders(
          fields: played.headers.map { old in
            old.isNamed(field) ? .init(name: old.name, value: change.field(old.value), isLatin1: old.isLatin1) : old
          })
      }
      switch played.body {
      case .bytes(let bytes): if let changed = change.content(bytes) { played.body = .bytes(changed) }
      case .pieces(let pieces, let breaksOff):
        played.body = .pieces(
          pieces.map { BodyChunk(after: $0.after, bytes: change.content($0.bytes) ?? $0.bytes) }, breaksOff: breaksOff)
      case .file, .length, .measured: break
      }
    }
  }
}
