internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The order in which a session plays the recordings of the same request.
struct RecordingTurns {
  /// The position of a recording among those of the same request.
  struct Turn {
    /// The position in the order, counted from 1.
    let place: Int
    /// The number of recordings of the request.
    let count: Int
    /// True if the session's next request plays this recording.
    let isNext: Bool
  }

  private var turns: [Int: Turn] = [:]
  private let taken: [Int: Int]

  /// Determines the order of recordings, except recordings without alternatives for their request.
  init(_ deck: Deck, _ session: String) {
    let table = deck.table
    taken = deck.turnsTaken(in: session)
    for (number, entry) in table.entries.enumerated() where !entry.isFixture && turns[number] == nil {
      guard let request = Self.request(of: entry, knowsOrigins: deck.knowsOrigins),
        !Self.answersAlone(number, table, request)
      else { continue }
      let (all, next) = deck.turns(at: request, in: session)
      guard all.contains(number) else { continue }
      for (index, other) in all.enumerated() {
        turns[other] = Turn(place: index + 1, count: all.count, isNext: other == next)
      }
    }
  }

  /// The turn of a recording; nil if it is the only choice for its request.
  subscript(number: Int) -> Turn? { turns[number] }

  /// Returns the number of times that the session has played a recording.
  func taken(by number: Int) -> Int { taken[number] ?? 0 }

  private static func answersAlone(_ number: Int, _ table: RecordingTable, _ request: HTTPRequest) -> Bool {
    [true, false].contains { isKnown in
      table.sole(request.method.rawValue, request.target.text, hasCredentials: { isKnown }) == number
    }
  }

  /// Returns the request of a recording; nil if its body is in a file, or its target is invalid.
  private static func request(of entry: RecordingTable.Entry, knowsOrigins: Bool) -> HTTPRequest? {
    let recorded = entry.interaction
    if case .file? = recorded.requestBody?.form { return nil }
    let origin = knowsOrigins ? entry.origin ?? "" : ""
    guard let target = HTTPTarget(origin + recorded.pathAndQuery), let body = try? recorded.requestBody?.bytes() ?? []
    else { return nil }
    return HTTPRequest(method: recorded.method, target: target, headers: recorded.requestHeaders, body: body)
  }
}
