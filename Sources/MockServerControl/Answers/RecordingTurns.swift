internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The turns of recordings that answer the same request one after the other, as a session finds them.
struct RecordingTurns {
  /// The turn of one recording.
  struct Turn {
    /// The place in the order, from 1.
    let place: Int
    /// The number of recordings that take turns.
    let count: Int
    /// True if the next such request of the session plays it.
    let isNext: Bool
  }

  private var turns: [Int: Turn] = [:]
  private let taken: [Int: Int]

  /// Looks at all recordings of a deck that have to be chosen: what always answers its request has no turn.
  init(_ deck: Deck, _ session: String) {
    let table = deck.table
    taken = deck.turnsTaken(in: session)
    for (number, entry) in table.entries.enumerated() where !entry.isFixture && turns[number] == nil {
      guard let request = Self.request(of: entry, knowsOrigins: deck.knowsOrigins),
        !Self.isSettled(number, table, request)
      else { continue }
      let (all, next) = deck.turns(at: request, in: session)
      guard all.contains(number) else { continue }
      for (index, other) in all.enumerated() {
        turns[other] = Turn(place: index + 1, count: all.count, isNext: other == next)
      }
    }
  }

  /// The turn of a recording; nil for one that needs none.
  subscript(number: Int) -> Turn? { turns[number] }

  /// The number of times that a recording has had its turn.
  func taken(by number: Int) -> Int { taken[number] ?? 0 }

  private static func isSettled(_ number: Int, _ table: RecordingTable, _ request: HTTPRequest) -> Bool {
    [true, false].contains { isKnown in
      table.settled(request.method.rawValue, request.target.text, hasCredentials: { isKnown }) == number
    }
  }

  /// The request of a recording; nil where its body is in a file, or its target is none.
  private static func request(of entry: RecordingTable.Entry, knowsOrigins: Bool) -> HTTPRequest? {
    let recorded = entry.interaction
    if case .file? = recorded.requestBody?.form { return nil }
    let origin = knowsOrigins ? entry.origin ?? "" : ""
    guard let target = HTTPTarget(origin + recorded.pathAndQuery), let body = try? recorded.requestBody?.bytes() ?? []
    else { return nil }
    return HTTPRequest(method: recorded.method, target: target, headers: recorded.requestHeaders, body: body)
  }
}
