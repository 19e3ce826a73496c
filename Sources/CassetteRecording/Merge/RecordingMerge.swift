import CassetteHTTP
package import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// Merges recorded exchanges into an existing cassette, without changes for unchanged exchanges.
///
/// Nothing is removed: recordings that were not requested are kept and listed. ``RecordingFold`` decides whether to
/// remove them.
package struct RecordingMerge: ~Copyable {
  let old: Cassette
  /// True if everything is recorded again: secrets keep the numbers they have in replaced recordings, even if these
  /// numbers are also used elsewhere.
  private let isSure: Bool
  var pass: RedactionPass
  /// The alias numbers assigned in previous merges.
  private let pinned: [[UInt8]: Int]
  /// True if the exchanges come from a journal and are already redacted.
  private let isJournaled: Bool
  /// True if failures replace recorded responses.
  var keepsFailures = false
  /// The ids of recordings that a person changed during the recording, and which are kept.
  var edited: Set<String> = []
  /// The indices of the old recordings that may be matched; nil for all.
  var findable: Set<Int>?
  /// The requests without a recordable response, whose old recordings are kept.
  var unanswered: [Interaction] = []

  /// An exchange to be merged.
  package struct Sent {
    /// The original exchange, or the redacted exchange from a journal.
    var interaction: Interaction
    /// The test that sent the request, if any.
    var by: String?
    /// True if it may replace an old recording; false for a failed test.
    var replaces = true
    /// True if the exchange replaces the old recording with a new date even if only volatile details differ.
    var renews = false
    /// The player's matching rules for all recordings.
    @Boxed var match = MatchRules()

    /// Creates an exchange to be merged.
    ///
    /// - `interaction`: The original exchange, or the redacted exchange from a journal.
    /// - `by`: The test that sent the request. Nil by default.
    /// - `replaces`: True if it may replace an old recording. True by default.
    /// - `renews`: True if it replaces the date of an unchanged recording. False by default.
    /// - `match`: The player's matching rules. None by default.
    package init(
      interaction: Interaction, by: String? = nil, replaces: Bool = true, renews: Bool = false,
      match: MatchRules = MatchRules()
    ) {
      (self.interaction, self.by, self.replaces) = (interaction, by, replaces)
      (self.renews, self.match) = (renews, match)
    }
  }

  /// The result of a merge.
  package struct Result {
    package var cassette: Cassette
    /// The previous index of each recording; nil for a new recording.
    var sources: [Int?]
    /// The outcome of each exchange, in the order of the input.
    package var outcomes: [Outcome]
    /// The indices of the old recordings that were requested again.
    package var asked: Set<Int>
    /// The indices of the old recordings that were replaced.
    var replaced: Set<Int> = []
    /// The old recordings that were requested without a response, by id, with the reason.
    var unanswered: [String] = []
    /// The old recordings in which a newly known secret was redacted, by id.
    package var reredacted: [String] = []
    /// The effect of user-defined redaction rules.
    var redaction = RedactionUse()
  }

  /// The outcome of one exchange.
  package enum Outcome: Equatable {
    /// A new recording, by method and URL.
    case added(String)
    /// A replaced recording, by id.
    case changed(String)
    /// The exchange equals its recording.
    case unchanged
    /// The old recording is kept: its id, with the reason.
    case kept(String)
  }

  /// Prepares a merge.
  ///
  /// - `isSure`: True if everything is recorded again; false if missing recordings are added.
  /// - `journal`: The redaction of the journal that contains the exchanges, if any.
  /// - `pinned`: The alias numbers assigned in previous merges.
  package init(
    into cassette: Cassette, isSure: Bool = true, _ redaction: CassetteRedaction, of journal: RedactionPass? = nil,
    pinned: [[UInt8]: Int] = [:]
  ) {
    old = cassette
    self.isSure = isSure
    self.pinned = pinned
    isJournaled = journal != nil
    pass = journal ?? RedactionPass(redaction, keepsReadings: true)
  }

  /// Merges exchanges into the cassette.
  ///
  /// - `sent`: The exchanges, in the order of requests.
  /// - `known`: The index of the old recording that each exchange repeats, whose request is kept; nil to match them.
  package mutating func merged(_ sent: [Sent], again known: [Int]? = nil) throws(CassetteError) -> Result {
    // Without any requests, the recordings cannot be compared.
    guard !sent.isEmpty || !unanswered.isEmpty else {
      return Result(cassette: old, sources: old.interactions.indices.map { $0 }, outcomes: [], asked: [])
    }
    var cassette = old
    if cassette.origin == nil, cassette.interactions.isEmpty { cassette.origin = Self.origin(of: sent) }
    var sent = sent
    // Handwritten recordings without an origin apply to the origin that was recorded.
    let isOfAny = cassette.origin == nil && old.interactions.allSatisfy { RecordedTarget.origin(of: $0.url) == nil }
    let origin = isOfAny ? Self.origin(of: sent) : cassette.origin
    for index in sent.indices { sent[index].interaction = Self.relative(sent[index].interaction, to: origin) }
    let unanswered = unanswered.map { Self.relative($0, to: origin) }
    // Alias numbers from a journal are final.
    if !isJournaled { for exchange in sent { try pass.collect(exchange.interaction) } }
    for interaction in unanswered { try pass.collect(interaction) }
    var pins: [Int: Int] = [:]
    if isJournaled {
      try reserveNumbers()
      pass.table.seekRedacted()
    } else {
      for (value, number) in pinned { pins[pass.table.secret(value)] = number }
      pass.table.renumber(pins, reserved: pass.foreignNumbers)
    }

    // The first redaction uses provisional numbers to match exchanges; then secrets get their numbers in the cassette.
    var drafts: [Interaction] = []
    for exchange in sent { drafts.append(try pass.redacting(exchange.interaction, onlyKnown: isJournaled)) }
    let partners = known.map { $0 } ?? partners(of: drafts, of: sent)
    if !isJournaled { try adoptNumbers(drafts, partners, pins, isSure: isSure) }
    let volatility = RecordingVolatility(learningFrom: old.interactions, drafts)

    var places: [Place] = []
    // The placement of the exchange that repeats each old recording.
    var again: [Int: Int] = [:]
    var outcomes = [Outcome](repeating: .unchanged, count: sent.count)
    var use = RedactionUse()
    for (index, partner) in partners.enumerated() {
      var exchange = try pass.redacting(sent[index].interaction, onlyKnown: isJournaled)
      exchange.tag(by: sent[index].by)
      let name = "\(exchange.method.rawValue) \(exchange.url)"
      guard let partner else {
        outcomes[index] = .added(name)
        places.append(.new(exchange, behind: nil))
        continue
      }
      let anew = anew(exchange, sent[index], old.interactions[partner], isKnown: known != nil, volatility)
      if let taken = again[partner] {
        // Several tests share a recording without a test as long as they get the same response.
        if places[taken].holds(anew.interaction, or: old.interactions[partner]) {
          places.append(.shared(partner))
        } else {
          outcomes[index] = .added(name)
          places.append(.new(exchange, behind: partner))
        }
        continue
      }
      outcomes[index] = anew.outcome
      if let after = anew.interaction { use.compare(old.interactions[partner], after) }
      again[partner] = places.count
      places.append(.again(anew.interaction, partner))
    }
    var result = try result(cassette, sent.map(\.by), places, outcomes, asked(unanswered, partners))
    use.add(pass.use(in: sent.map(\.interaction), besides: old))
    result.redaction = use
    return result
  }

  /// Returns the replacement of an old recording, or nil if it is kept, and the outcome.
  private func anew(
    _ exchange: Interaction, _ sent: Sent, _ before: Interaction, isKnown: Bool, _ volatility: RecordingVolatility
  ) -> (interaction: Interaction?, outcome: Outcome) {
    var after = exchange
    var example: Example?
    if isKnown { Self.keepRequest(&after, before) } else { example = keepExample(&after, before, sent.match) }
    // Volatile values are restored first, so that only real changes remain.
    if !sent.renews, !RecordingComparison.isSame(before, after) { volatility.settle(&after, like: before) }
    if !sent.renews, RecordingComparison.isSame(before, after) { return (nil, .unchanged) }
    let reason: String? =
      if edited.contains(before.id) {
        "edited by hand in the meantime"
      } else if !keepsFailures, let failure = exchange.failure {
        failure.name
      } else if !keepsFailures, exchange.breaksOff, !before.breaksOff, before.failure == nil {
        "the origin closed the connection early"
      } else if exchange.isCut(before: before) {
        "its client disconnected before the end"
      } else if !sent.replaces {
        "its test failed"
      } else {
        nil
      }
    // A changed response is recorded with its own request.
    if example == .body { after.requestBody = exchange.requestBody }
    if example != nil { Self.sayLanguage(&after, exchange) }
    let name = before.id.isEmpty ? "\(before.method.rawValue) \(before.url)" : before.id
    if let reason { return (nil, .kept("\(name): \(reason)")) }
    Self.resemble(&after, before)
    return (after, .changed(name))
  }
}
