package import CassetteHTTP
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Collects exchanges in the order in which they were sent, and creates a cassette from them.
///
/// A recording may be used by any number of threads. Nothing is written before all secrets are known, because a token
/// in the last response must also be redacted in the first request.
package final class Recording: Sendable {
  /// The handle of an exchange.
  package struct Token: Hashable, Sendable {
    /// The number of the exchange in the order of requests.
    package let number: Int
    /// False for `OPTIONS *`, which has no URL and cannot be recorded.
    package var hasURL = true
  }

  private struct Exchange: Sendable {
    var interaction: Interaction
    var isFinished = false
    /// The reason why a body cannot be searched for secrets; nil if it can.
    var opaque: String?
  }

  private struct State: ~Copyable, Sendable {
    /// The exchanges in memory, by number.
    var exchanges: [Int: Exchange] = [:]
    /// The number of started exchanges.
    var count = 0
    /// The number of exchanges that were moved to a journal.
    var released = 0
    var hasFailures = false
    var refusals: [String] = []

    /// The exchanges in memory, in the order of requests.
    var ordered: [Exchange] { exchanges.sorted { $0.key < $1.key }.map(\.value) }
  }

  private let cassette: Cassette
  private let mode: CassetteMode
  private let redaction: CassetteRedaction
  private let state = Locked(State())

  /// Creates a recording into a cassette.
  ///
  /// - `cassette`: The existing cassette; an empty one for a new file.
  /// - `mode`: `record` to replace recordings that are requested again, `recordMissing` to add missing ones.
  package init(into cassette: Cassette, mode: CassetteMode = .record, redaction: CassetteRedaction = .standard) {
    self.cassette = cassette
    self.mode = mode
    self.redaction = redaction
  }

  /// Adds a request when it is sent; the order of calls is the order in the cassette.
  ///
  /// - `origin`: The scheme and authority of the server, if the request target does not contain them.
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

  /// Sets the response of an exchange.
  ///
  /// - `token`: The handle from ``begin(_:origin:)``.
  /// - `response`: The response, with content decoded if possible.
  ///
  /// Returns the reason why a body cannot be searched for secrets, or nil; such an exchange is recorded only if the
  /// redaction keeps opaque bodies.
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
    // Computed outside of the lock, because a body may be long.
    let exchange = Exchange(interaction: finished, isFinished: true, opaque: finished.opaqueReason)
    state.withLock { $0.exchanges[token.number] = exchange }
    return exchange.opaque
  }

  /// Sets the failure of a request.
  ///
  /// - `token`: The handle from ``begin(_:origin:)``.
  package func finish(_ token: Token, _ failure: RecordedFailure, recorded: RecordedFacts? = nil) {
    state.withLock { state in
      state.hasFailures = true
      state.exchanges[token.number]?.interaction.outcome = .failure(failure)
      state.exchanges[token.number]?.interaction.recorded = recorded
      state.exchanges[token.number]?.isFinished = true
    }
  }

  /// Returns a finished exchange before redaction; nil if it is unfinished or was moved to a journal.
  package func finished(_ token: Token) -> (interaction: Interaction, number: Int)? {
    guard let exchange = state.withLock({ $0.exchanges[token.number] }), exchange.isFinished else { return nil }
    return (exchange.interaction, token.number)
  }

  /// Returns a started exchange as far as it is known.
  package func begun(_ token: Token) -> Interaction? { state.withLock { $0.exchanges[token.number]?.interaction } }

  /// Replaces the response body of an exchange by a body in a file.
  package func attach(_ body: Body, to token: Token) {
    state.withLock { $0.exchanges[token.number]?.interaction.responseBody = body }
  }

  /// Removes an exchange from memory after it was moved to a journal.
  package func release(_ token: Token) {
    state.withLock { state in
      if state.exchanges.removeValue(forKey: token.number) != nil { state.released += 1 }
    }
  }

  /// Discards an exchange that will not be recorded.
  package func forget(_ token: Token) { state.withLock { _ = $0.exchanges.removeValue(forKey: token.number) } }

  /// The number of exchanges moved to a journal.
  package var released: Int { state.withLock { $0.released } }

  /// Excludes an exchange that cannot be recorded.
  ///
  /// - `token`: The handle from ``begin(_:origin:)``.
  /// - `reason`: The reason for the report; nil if it is reported elsewhere.
  package func abandon(_ token: Token, because reason: String? = nil) {
    state.withLock { state in
      guard let exchange = state.exchanges[token.number] else { return }
      if let reason { state.refusals.append("\(exchange.interaction.shown): \(reason)") }
      // The body may be long, so it is released.
      state.exchanges[token.number]?.interaction.outcome = .failure(RecordedFailure(code: -999))
      state.exchanges[token.number]?.isFinished = false
    }
  }

  /// Returns the excluded exchanges with the reasons.
  ///
  /// - `redaction`: The redaction, which determines whether opaque bodies are kept; nil for the recording's own.
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

  /// True if a request failed.
  package var hasFailures: Bool { state.withLock { $0.hasFailures } }

  /// The number of unfinished exchanges, which are not recorded.
  package var unfinished: Int { state.withLock { $0.exchanges.values.count { !$0.isFinished } } }

  /// Returns the cassette with the exchanges so far, redacted and checked for missed secrets.
  package func merged() throws(CassetteError) -> (cassette: Cassette, changes: Changes) {
    guard mode.records else { return (cassette, Changes(unchanged: cassette.interactions.count)) }
    let result = try RecordingFold(base: cassette).merged([part()])
    return (result.cassette, result.changes)
  }

  /// Returns the exchanges so far; the answer of an exchange whose bodies cannot be searched is recorded as unknown.
  ///
  /// - `redaction`: The redaction of secrets; nil for the recording's own.
  func part(_ redaction: CassetteRedaction? = nil, by key: String? = nil) -> RecordingPart {
    let exchanges = state.withLock { $0.ordered }
    let redaction = redaction ?? self.redaction
    let sent = exchanges.filter(\.isFinished).map { exchange in
      guard let reason = exchange.opaque, !redaction.keepsOpaque else { return exchange.interaction }
      return exchange.interaction.opaqueGap(reason)
    }
    return RecordingPart(
      key: key, mode: mode, redaction: redaction, sent: sent,
      unanswered: exchanges.filter { !$0.isFinished }.map(\.interaction))
  }

  /// Removes the fields that frame a body on a connection, and a `Host` that equals the authority of the URL.
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
