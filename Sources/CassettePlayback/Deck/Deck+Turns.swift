package import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem

/// The positions of a session; reading them does not advance them.
extension Deck {
  /// Returns how many times each recording has played in a session, by the recording's number.
  package func turnsTaken(in session: String) -> [Int: Int] {
    let (table, plays) = state.withLock { ($0.table, $0.cursors.peek(session).plays) }
    var turns: [Int: Int] = [:]
    for (number, entry) in table.entries.enumerated() { turns[number] = plays[entry.position]?.count }
    return turns
  }

  /// Returns the recordings that answer a request in turn, in recorded order, and the next one to play in a session.
  package func turns(at request: HTTPRequest, in session: String) -> (all: [Int], next: Int?) {
    var (tables, cursor) = state.withLock { ($0.tables(for: session), $0.cursors.peek(session)) }
    let search = Search(request, in: tables.map { Matcher.Context(table: $0, knowsOrigins: knowsOrigins) })
    let found = search.choose(&cursor, requestCount + 1)
    guard case .play(let candidate, _) = found.choice, found.layer == tables.count - 1 else {
      return (search.turns, nil)
    }
    return (search.turns, candidate.entry)
  }
}
