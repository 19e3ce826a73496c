import CassetteHTTP
internal import CassetteSecrets
internal import Cassettes

/// Brings what was recorded into the cassette there was, so that what did not change makes no difference.
///
/// It takes nothing away: what was not asked again stays, and is listed. Taking it away is ``RecordingFold``'s to decide.
struct RecordingMerge {
  let old: Cassette
  /// True if all is recorded anew: secrets have the numbers that they have in what is replaced, used elsewhere or not.
  private let isSure: Bool
  var pass: RedactionPass
  /// Numbers that secrets have in what was merged before.
  private let pinned: [[UInt8]: Int]
  /// True if what is merged comes from a journal, its secrets taken out.
  private let isJournaled: Bool
  /// True if failures replace what was recorded.
  var keepsFailures = false
  /// Ids of recordings that a person changed while this recording went on: what they say now stays.
  var edited: Set<String> = []
  /// The old recordings that may be found again, by their places; nil for all.
  var findable: Set<Int>?
  /// The requests that got no answer that can be kept: what was recorded of them stays.
  var unanswered: [Interaction] = []

  /// An exchange on its way into a cassette.
  struct Sent {
    /// The exchange as it was, secrets and all, or as a journal has it.
    var interaction: Interaction
    /// The test it is of, if it is one's.
    var by: String?
    /// True if it may replace an old recording: the exchange of a failed test may not.
    var replaces = true
    /// True if it is kept as it came, with its date, although nothing but what differs each time has changed.
    var renews = false
    /// The matching rules of its player for all recordings.
    var match = MatchRules()
  }

  /// The result of a merge.
  struct Result {
    var cassette: Cassette
    /// The place that each of its recordings had before; nil for a new one.
    var sources: [Int?]
    /// The outcome of each exchange, in the order they were given.
    var outcomes: [Outcome]
    /// The old recordings that were asked for again, by their places.
    var asked: Set<Int>
    /// The old recordings that were replaced, by their places.
    var replaced: Set<Int> = []
    /// Old recordings that were asked for without an answer, by id, with the reason.
    var unanswered: [String] = []
    /// Old recordings out of which a secret was taken that is known only now, by id.
    var reredacted: [String] = []
    /// The places of the redaction that had something, and those that had nothing.
    var redaction = RedactionUse()
  }

  /// The outcome of one exchange.
  enum Outcome: Equatable {
    /// It is a new recording, by method and URL.
    case added(String)
    /// It took the place of a recording, by id.
    case changed(String)
    /// It is what was recorded.
    case unchanged
    /// The old recording stays in its place: its id, with the reason.
    case kept(String)
  }

  /// Prepares a merge.
  ///
  /// - Parameters:
  ///   - cassette: What was recorded before.
  ///   - isSure: Whether all is recorded anew, and nothing is only added.
  ///   - redaction: How secrets are taken out.
  ///   - journal: The redaction of the journal that the exchanges come from, if they do.
  ///   - pinned: Numbers that secrets have in what was merged before.
  init(
    into cassette: Cassette, isSure: Bool = true, _ redaction: CassetteRedaction, of journal: RedactionPass? = nil,
    pinned: [[UInt8]: Int] = [:]
  ) {
    old = cassette
    self.isSure = isSure
    self.pinned = pinned
    isJournaled = journal != nil
    pass = journal ?? RedactionPass(redaction)
  }

  /// The cassette of what was sent, and what is different in it.
  ///
  /// - Parameters:
  ///   - sent: What was exchanged, in the order in which it was sent.
  ///   - known: For each, which old one it is again, and whose request then stays as it was; nil to find that out.
  /// - Returns: The cassette, and what is different in it.
  /// - Throws: When a body is in a file that cannot be read.
  mutating func merged(_ sent: [Sent], again known: [Int]? = nil) throws(CassetteError) -> Result {
    // A run that sent nothing says nothing about what was recorded.
    guard !sent.isEmpty || !unanswered.isEmpty else {
      return Result(cassette: old, sources: old.interactions.indices.map { $0 }, outcomes: [], asked: [])
    }
    var cassette = old
    if cassette.origin == nil, cassette.interactions.isEmpty { cassette.origin = Self.origin(of: sent) }
    var sent = sent
    // What a person wrote without an origin is of whoever is asked.
    let isOfAny = cassette.origin == nil && old.interactions.allSatisfy { RecordedTarget.origin(of: $0.url) == nil }
    let origin = isOfAny ? Self.origin(of: sent) : cassette.origin
    for index in sent.indices { sent[index].interaction = Self.relative(sent[index].interaction, to: origin) }
    let unanswered = unanswered.map { Self.relative($0, to: origin) }
    // The numbers that a journal gave secrets stay.
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

    // Once with numbers of its own, to see which exchange is which; then with those the cassette has for its secrets.
    var drafts: [Interaction] = []
    for exchange in sent { drafts.append(try pass.redacting(exchange.interaction, onlyKnown: isJournaled)) }
    let partners = known.map { $0 } ?? partners(of: drafts, of: sent)
    if !isJournaled { try adoptNumbers(drafts, partners, pins, isSure: isSure) }
    let volatility = RecordingVolatility(learningFrom: old.interactions, drafts)

    var places: [Place] = []
    // The places of old recordings that were found again.
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
        // Several tests share a recording that is nobody's, as long as they get the same answer.
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

  /// Returns what replaces an old recording, nil when it stays as it is, and the outcome.
  private func anew(
    _ exchange: Interaction, _ sent: Sent, _ before: Interaction, isKnown: Bool, _ volatility: RecordingVolatility
  ) -> (interaction: Interaction?, outcome: Outcome) {
    var after = exchange
    var example: Example?
    if isKnown { Self.keepRequest(&after, before) } else { example = keepExample(&after, before, sent.match) }
    // First what differs each time: what is left is a change, and the only one to be seen.
    if !sent.renews, !RecordingComparison.isSame(before, after) { volatility.settle(&after, like: before) }
    if !sent.renews, RecordingComparison.isSame(before, after) { return (nil, .unchanged) }
    let reason: String? =
      if edited.contains(before.id) {
        "changed by hand meanwhile"
      } else if !keepsFailures, let failure = exchange.failure {
        failure.name
      } else if !keepsFailures, exchange.breaksOff, !before.breaksOff, before.failure == nil {
        "the origin broke off"
      } else if exchange.isCut(before: before) {
        "its client left before the end"
      } else if !sent.replaces {
        "its test failed"
      } else {
        nil
      }
    // Beside another answer stands what was asked for it.
    if example == .body { after.requestBody = exchange.requestBody }
    if example != nil { Self.sayLanguage(&after, exchange) }
    let name = before.id.isEmpty ? "\(before.method.rawValue) \(before.url)" : before.id
    if let reason { return (nil, .kept("\(name): \(reason)")) }
    Self.resemble(&after, before)
    return (after, .changed(name))
  }
}
