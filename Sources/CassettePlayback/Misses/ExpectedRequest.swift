package import CassetteHTTP
package import CassetteMatching
package import Cassettes

/// A request that a test expects to have been sent, described like the request of a recording.
package struct ExpectedRequest: Sendable {
  private let context: Matcher.Context

  /// Creates an expectation of requests that a recording would answer.
  ///
  /// Header fields are required with their values, although in a recording they only affect the preference.
  ///
  /// - Parameter interaction: The request and its rules; its response is ignored.
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

  /// Returns true if a request is the expected one; its content may be encoded.
  package func accepts(_ request: HTTPRequest) -> Bool {
    if let decoded = request.contentDecoded, isMet(decoded) { return true }
    return isMet(request)
  }

  private func isMet(_ request: HTTPRequest) -> Bool {
    let compared = RequestReading(request)
    return context.table.candidates(for: compared, method: request.method).entries.contains { entry in
      // A body with similar values is enough for an answer, but not for an expectation of a test.
      Matcher.candidate(entry, for: compared, in: context).map { !$0.marks.contains(.body) } ?? false
    }
  }

  /// Returns the differences between a request and the expected one.
  func mismatches(of request: HTTPRequest) -> [Mismatch] {
    let compared = RequestReading(request.contentDecoded ?? request)
    return context.table.entries.indices.flatMap { Matcher.mismatches(of: compared, from: $0, in: context) }
      .map(\.expected)
  }

  /// Returns the requests that are most similar to the expected one, the nearest first.
  package func nearest(among requests: [HTTPRequest]) -> [(index: Int, mismatches: [Mismatch])] {
    requests.indices.map { index in (index: index, mismatches: mismatches(of: requests[index])) }
      .map { near in (near, near.mismatches.reduce(0) { $0 + NearMiss.cost(of: $1) }) }
      // Among equally similar requests the latest is the most informative.
      .sorted { ($0.1, -$0.0.index) < ($1.1, -$1.0.index) }
      .prefix(NearMiss.count).map(\.0)
  }
}

/// An expected number of requests, as a minimum and a maximum.
package struct ExpectedCount: Hashable, Sendable {
  package let atLeast: Int
  /// The maximum; nil for no limit.
  package let atMost: Int?

  /// Creates an expected number; the default is at least one.
  package init(atLeast: Int = 1, atMost: Int? = nil) { (self.atLeast, self.atMost) = (atLeast, atMost) }

  /// Returns true if a number is within the limits.
  package func holds(_ count: Int) -> Bool { count >= atLeast && count <= atMost ?? .max }

  /// The expected number in words: `at least once`.
  package var words: String {
    switch (atLeast, atMost) {
    case (let least, let most?) where least == most: Self.times(least)
    case (0, let most?): "at most \(Self.times(most))"
    case (let least, let most?): "\(least) to \(most) times"
    case (let least, nil): "at least \(Self.times(least))"
    }
  }

  /// Returns a number in words: `never`, `once`, `2 times`.
  static func times(_ count: Int) -> String { count == 0 ? "never" : count == 1 ? "once" : "\(count) times" }

  /// Returns the number of received requests in words: `never received`, `received once`, `received 2 times`.
  package static func received(_ count: Int) -> String {
    count == 0 ? "never received" : "received \(times(count))"
  }
}
