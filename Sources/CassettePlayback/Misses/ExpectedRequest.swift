package import CassetteHTTP
package import CassetteMatching
package import Cassettes

/// A request that a test expects to have been sent, said as a cassette says which requests a recording answers.
package struct ExpectedRequest: Sendable {
  private let context: Matcher.Context

  /// Expects requests that a recording would answer.
  ///
  /// Fields that are named must be there with their values, which in a recording only prefer.
  ///
  /// - Parameter interaction: The request and its rules; what it is answered plays no part.
  package init(_ interaction: Interaction) {
    var wanted = interaction
    let named = Set(wanted.match.headers.entries.map { $0.name.lowercased() })
    for field in interaction.requestHeaders where !named.contains(field.name.lowercased()) {
      wanted.match.headers.entries.append(NamedConditions.Entry(field.name, .all([.equals(field.value)])))
    }
    var cassette = Cassette(name: "expected")
    cassette.interactions = [wanted]
    context = Matcher.Context(table: RecordingTable(CassetteLibrary(cassettes: [cassette])), knowsOrigins: false)
  }

  /// Tells whether a request is one that is expected; its content may be coded.
  package func accepts(_ request: HTTPRequest) -> Bool {
    if let decoded = request.contentDecoded, isMet(decoded) { return true }
    return isMet(request)
  }

  private func isMet(_ request: HTTPRequest) -> Bool {
    let compared = ComparedRequest(request)
    return context.table.candidates(for: compared, method: request.method).entries.contains { entry in
      // A body that only looks alike may do for an answer, not for what a test says was sent.
      Matcher.candidate(entry, for: compared, in: context).map { !$0.marks.contains(.body) } ?? false
    }
  }

  /// Returns the differences between a request and the expected one.
  package func mismatches(of request: HTTPRequest) -> [Mismatch] {
    let compared = ComparedRequest(request.contentDecoded ?? request)
    return context.table.entries.indices.flatMap { Matcher.mismatches(of: compared, from: $0, in: context) }
      .map(\.expected)
  }

  /// Returns the requests that are nearest to the expected one, the nearest first.
  ///
  /// - Parameter requests: Those to look through.
  /// - Returns: The places of at most three of them, each with its differences.
  package func nearest(among requests: [HTTPRequest]) -> [(index: Int, mismatches: [Mismatch])] {
    requests.indices.map { index in (index: index, mismatches: mismatches(of: requests[index])) }
      .map { near in (near, near.mismatches.reduce(0) { $0 + NearMiss.cost(of: $1) }) }
      // Of those as near as each other the latest says most.
      .sorted { ($0.1, -$0.0.index) < ($1.1, -$1.0.index) }
      .prefix(NearMiss.count).map(\.0)
  }
}

/// A number of requests that is expected, as a least and a most.
package struct ExpectedCount: Hashable, Sendable {
  package let atLeast: Int
  /// The greatest number; nil for any.
  package let atMost: Int?

  /// Creates a number, at least one unless told.
  package init(atLeast: Int = 1, atMost: Int? = nil) { (self.atLeast, self.atMost) = (atLeast, atMost) }

  /// Tells whether a number is one that is expected.
  package func holds(_ count: Int) -> Bool { count >= atLeast && count <= atMost ?? .max }

  /// The number in words: `at least once`.
  package var words: String {
    switch (atLeast, atMost) {
    case (let least, let most?) where least == most: Self.times(least)
    case (0, let most?): "at most \(Self.times(most))"
    case (let least, let most?): "\(least) to \(most) times"
    case (let least, nil): "at least \(Self.times(least))"
    }
  }

  /// Returns a number in words: `never`, `once`, `2 times`.
  package static func times(_ count: Int) -> String { count == 0 ? "never" : count == 1 ? "once" : "\(count) times" }
}
