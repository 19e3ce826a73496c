internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem

extension Deck {
  /// Returns a request in the names of the recordings, and those that stood in their place; nil where there are none.
  func recorded(_ request: HTTPRequest, session: String) -> (request: HTTPRequest, names: [HandedOutName])? {
    let names = state.withLock { state -> [HandedOutName] in
      state.table.links.isEmpty ? [] : state.cursors.peek(session).counters?.names ?? []
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
