package import CassetteHTTP
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Collects exchanges in the order they were sent, and makes a cassette of them.
///
/// It may be shared by any number of threads. Nothing leaves it before every secret in it is known: a token that the
/// last response gives away is taken out of the first request as well.
package final class Recording: Sendable {
  /// An exchange that has begun.
  package struct Token: Hashable, Sendable {
    /// The number of the exchange among all of them.
    package let number: Int
    /// False for `OPTIONS *`: no recording is of what has no URL.
    package var hasURL = true
  }

  private struct Exchange: Sendable {
    var interaction: Interaction
    var isFinished = false
    /// The reason why secrets cannot be looked for in one of its bodies; nil where they can.
    var opaque: String?
  }

  private struct State: Sendable {
    /// The exchanges that are in memory, by their numbers.
    var exchanges: [Int: Exchange] = [:]
    /// The number of all that have begun.
    var count = 0
    /// The number of those that a journal holds.
    var released = 0
    var hasFailures = false
    var refusals: [String] = []

    /// The exchanges in memory, in their order.
    var ordered: [Exchange] { exchanges.sorted { $0.key < $1.key }.map(\.value) }
  }

  private let cassette: Cassette
  private let mode: CassetteMode
  private let redaction: CassetteRedaction
  private let state = Locked(State())

  /// Records into a cassette.
  ///
  /// - Parameters:
  ///   - cassette: What was recorded before; an empty one for a new file.
  ///   - mode: `record` to make anew what is asked for again, `recordMissing` to add to it.
  ///   - redaction: How secrets are taken out.
  package init(into cassette: Cassette, mode: CassetteMode = .record, redaction: CassetteRedaction = .standard) {
    self.cassette = cassette
    self.mode = mode
    self.redaction = redaction
  }

  /// Notes that a request is sent; the order of these calls is the order of the cassette.
  ///
  /// - Parameters:
  ///   - request: The request as it leaves.
  ///   - origin: The scheme and authority it goes to, when its target does not name them.
  /// - Returns: What to finish the exchange with.
  package func begin(_ request: HTTPRequest, origin: String? = nil) -> Token {
    let request = request.contentDecoded ?? request
    let target = request.target.text.prefix { $0 != "#" }
    let hasOrigin = request.target.form == .absolute || request.target.form == .asterisk
    let url = hasOrigin ? String(target) : (origin ?? "") + target
    let headers = Self.kept(request.headers, keepsLength: false, host: RecordedTarget.origin(of: url))
    let interaction = Interaction(
      method: request.method, url: url, requestHeaders: headers,
      requestBody: .sent(request.body, with: request.method),
      outcome: .failure(RecordedFailure(code: -999)))
    return state.withLock { state in
      defer { state.count += 1 }
      state.exchanges[state.count] = Exchange(interaction: interaction)
      return Token(number: state.count, hasURL: request.target.form != .asterisk)
    }
  }

  /// Notes the answer to a request.
  ///
  /// - Parameters:
  ///   - token: What `begin` gave.
  ///   - response: The answer, its content coding undone where that was possible.
  ///   - recorded: When it came and how long it took.
  /// - Returns: Why nobody can look for secrets in a body of the exchange; it is kept only where that is allowed.
  @discardableResult
  package func finish(_ token: Token, _ response: RecordedResponse, recorded: RecordedFacts? = nil) -> String? {
    guard let begun = begun(token) else { return nil }
    var response = response
    var isCut = false
    if case .chunks(_, let end)? = response.body?.form { isCut = end != .complete }
    response.headers = Self.kept(
      response.headers, keepsLength: isCut || begun.method == .head || response.status.code == 304, host: nil,
      keepsClose: isCut)
    let finished = Interaction(
      method: begun.method, url: begun.url, requestHeaders: begun.requestHeaders, requestBody: begun.requestBody,
      outcome: .response(response), recorded: recorded)
    // Before the lock: a body may be long.
    let exchange = Exchange(interaction: finished, isFinished: true, opaque: finished.opaqueReason)
    state.withLock { $0.exchanges[token.number] = exchange }
    return exchange.opaque
  }

  /// Notes that a request failed.
  ///
  /// - Parameters:
  ///   - token: What `begin` gave.
  ///   - failure: How.
  ///   - recorded: When, and how long it took.
  package func finish(_ token: Token, _ failure: RecordedFailure, recorded: RecordedFacts? = nil) {
    state.withLock { state in
      state.hasFailures = true
      state.exchanges[token.number]?.interaction.outcome = .failure(failure)
      state.exchanges[token.number]?.interaction.recorded = recorded
      state.exchanges[token.number]?.isFinished = true
    }
  }

  /// Returns an exchange that has ended, as it was; nil for one that has not, or that a journal alone holds.
  package func finished(_ token: Token) -> (interaction: Interaction, number: Int)? {
    guard let exchange = state.withLock({ $0.exchanges[token.number] }), exchange.isFinished else { return nil }
    return (exchange.interaction, token.number)
  }

  /// Returns an exchange that has begun, as far as it is known.
  package func begun(_ token: Token) -> Interaction? { state.withLock { $0.exchanges[token.number]?.interaction } }

  /// Replaces the body of an exchange's answer by one in a file.
  package func attach(_ body: Body, to token: Token) {
    state.withLock { $0.exchanges[token.number]?.interaction.responseBody = body }
  }

  /// Forgets an exchange that a journal holds.
  package func release(_ token: Token) {
    state.withLock { state in
      if state.exchanges.removeValue(forKey: token.number) != nil { state.released += 1 }
    }
  }

  /// Discards an exchange that will not be recorded.
  package func forget(_ token: Token) { state.withLock { _ = $0.exchanges.removeValue(forKey: token.number) } }

  /// The number of exchanges that were released.
  package var released: Int { state.withLock { $0.released } }

  /// Leaves an exchange out: it cannot be kept.
  ///
  /// - Parameters:
  ///   - token: What `begin` gave.
  ///   - reason: Why, for the report; nil when it is told elsewhere.
  package func abandon(_ token: Token, because reason: String? = nil) {
    state.withLock { state in
      guard let exchange = state.exchanges[token.number] else { return }
      if let reason { state.refusals.append("\(exchange.interaction.shown): \(reason)") }
      // Its body may be long.
      state.exchanges[token.number]?.interaction.outcome = .failure(RecordedFailure(code: -999))
      state.exchanges[token.number]?.isFinished = false
    }
  }

  /// Returns the exchanges that were left out, and the reasons.
  ///
  /// - Parameter redaction: What is allowed; nil for what it was made with.
  /// - Returns: What each was, and why, in words.
  package func refusals(_ redaction: CassetteRedaction? = nil) -> [String] {
    let keepsOpaque = (redaction ?? self.redaction).keepsOpaque
    return state.withLock { state in
      state.refusals
        + state.ordered.compactMap { exchange in
          guard !keepsOpaque, exchange.isFinished, let reason = exchange.opaque else { return nil }
          return "\(exchange.interaction.shown): \(reason); \(OpaqueBody.remedy)"
        }
    }
  }

  /// True if any exchange failed.
  package var hasFailures: Bool { state.withLock { $0.hasFailures } }

  /// The number of exchanges that have begun and not ended; they are left out.
  package var unfinished: Int { state.withLock { $0.exchanges.values.count { !$0.isFinished } } }

  /// Returns the cassette with what was recorded so far: redacted, and checked for secrets that were missed.
  ///
  /// - Returns: The cassette, and what is different in it.
  /// - Throws: What looks like a token in it, or a body's file that cannot be read.
  package func merged() throws(CassetteError) -> (cassette: Cassette, changes: Changes) {
    guard mode.records else { return (cassette, Changes(unchanged: cassette.interactions.count)) }
    let result = try RecordingFold(base: cassette).merged([part()])
    return (result.cassette, result.changes)
  }

  /// Returns the exchanges so far.
  ///
  /// - Parameters:
  ///   - redaction: How secrets are taken out; nil for what it was made with.
  ///   - key: The test it is of.
  /// - Returns: All that came to its end, and what was asked beside it.
  func part(_ redaction: CassetteRedaction? = nil, by key: String? = nil) -> RecordingPart {
    let exchanges = state.withLock { $0.ordered }
    let redaction = redaction ?? self.redaction
    let isKept = { (exchange: Exchange) in exchange.isFinished && (redaction.keepsOpaque || exchange.opaque == nil) }
    return RecordingPart(
      key: key, mode: mode, redaction: redaction, sent: exchanges.filter(isKept).map(\.interaction),
      unanswered: exchanges.filter { !isKept($0) }.map(\.interaction))
  }

  /// Fields without those that frame a body on one connection, and without the host that the URL names.
  package static func kept(
    _ headers: HTTPHeaders, keepsLength: Bool, host origin: String?, keepsClose: Bool = false
  ) -> HTTPHeaders {
    var kept = headers
    kept.removeAll { field in
      switch field.name.lowercased() {
      case "content-length": !keepsLength
      case "connection": !keepsClose
      case "transfer-encoding", "keep-alive", "trailer", "proxy-connection": true
      case "host": origin?.hasSuffix("//" + field.value.lowercased()) ?? false
      default: false
      }
    }
    return kept
  }
}
