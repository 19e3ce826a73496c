package import CassetteHTTP
internal import CassetteSystem

/// The place at which a session stands; looking moves nothing on.
extension Deck {
  /// The number of times that each recording has had its turn in a session, by its number.
  package func turnsTaken(in session: String) -> [Int: Int] {
    state.withLock { $0.cursors.peek(session) }.plays.mapValues(\.count)
  }

  /// The recordings that take turns at a request, in recorded order, and the one whose turn it is in a session.
  package func turns(at request: HTTPRequest, in session: String) -> (all: [Int], next: Int?) {
    var (tables, table, cursor) = state.withLock { ($0.tables(for: session), $0.table, $0.cursors.peek(session)) }
    let contexts = tables.map { Matcher.Context(table: $0, knowsOrigins: knowsOrigins) }
    let plan = LayeredPlan(ComparedRequest(request), in: contexts)
    let choice = plan.choose(&cursor, requestCount + 1)
    return (plan.turns, plan.table(of: choice.layer) === table ? choice.what.entry : nil)
  }
}
