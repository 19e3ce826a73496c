import CassetteHTTP
internal import CassetteSecrets
internal import Cassettes

/// Brings what was recorded into the cassette there was, so that what did not change makes no difference.
///
/// It takes nothing away: what was not asked again stays, and is listed. Taking it away is ``RecordingFold``'s to decide.
struct RecordingMerge {
  let old: Cassette
  let unasked: Unasked
  var pass: RedactionPass
  /// Whether failures take the place of what was recorded.
  var keepsFailures = false
  /// Ids of recordings that a person changed while this recording went on: what they say now stays.
  var edited: Set<String> = []
  /// Whether a secret in what was seen again has the number it had there, wherever else that number stands.
  var keepsNumbers = false
  /// Which old recordings may be found again, by their places; nil for all.
  var findable: Set<Int>?
  /// What was asked and came to no answer that can be kept: what was recorded of it stays.
  var unanswered: [Interaction] = []

  /// What becomes of recordings that were there and were not asked for again; none of them goes.
  enum Unasked {
    /// They are listed as such.
    case listed
    /// They count as unchanged: only a part of a session is merged.
    case uncounted
    /// All that was there stays as it is; what was recorded comes behind it.
    case untouched
  }

  /// An exchange on its way into a cassette.
  struct Sent {
    /// The exchange as it was, secrets and all.
    var interaction: Interaction
    /// The test it is of, if it is one's.
    var by: String?
    /// Whether it may take the place of an old recording: that of a test that failed may not.
    var replaces = true
    /// What its player says of all recordings.
    var match = MatchRules()
  }

  /// What a merge comes to.
  struct Result {
    var cassette: Cassette
    /// For each recording in it the place it had before; nil for what is new.
    var sources: [Int?]
    /// What became of each exchange, in the order they were given.
    var outcomes: [Outcome]
    /// Which old recordings were asked for again, by their places.
    var asked: Set<Int>
    /// Which old recordings something took the place of, by their places.
    var replaced: Set<Int> = []
    /// Old recordings that were asked for without an answer, by id, with the reason.
    var unanswered: [String] = []
    /// Old recordings out of which a secret was taken that is known only now, by id.
    var reredacted: [String] = []
    /// What is different.
    var changes = Recording.Changes()
  }

  /// What became of one exchange.
  enum Outcome: Equatable {
    /// It is a new recording, by method and URL.
    case added(String)
    /// It took the place of a recording, by id.
    case changed(String)
    /// It is what was recorded.
    case unchanged
    /// What was recorded stays in its place, by id, and why.
    case kept(String)
  }

  /// - Parameters:
  ///   - cassette: What was recorded before.
  ///   - unasked: What becomes of what is not asked again.
  ///   - redaction: How secrets are taken out.
  ///   - pinned: Numbers of secrets that bodies which are written already go by.
  init(into cassette: Cassette, unasked: Unasked, _ redaction: Redaction, pinned: [[UInt8]: Int] = [:]) {
    old = cassette
    self.unasked = unasked
    pass = RedactionPass(redaction)
    pass.pinned = pinned
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
      return Result(
        cassette: old, sources: old.interactions.indices.map { $0 }, outcomes: [], asked: [],
        changes: Recording.Changes(unchanged: old.interactions.count))
    }
    var cassette = old
    if cassette.origin == nil, cassette.interactions.isEmpty { cassette.origin = Self.origin(of: sent) }
    var sent = sent
    // What a person wrote without an origin is of whoever is asked.
    let isOfAny = cassette.origin == nil && old.interactions.allSatisfy { RecordedTarget.origin(of: $0.url) == nil }
    let origin = isOfAny ? Self.origin(of: sent) : cassette.origin
    for index in sent.indices { sent[index].interaction = Self.relative(sent[index].interaction, to: origin) }
    let unanswered = unanswered.map { Self.relative($0, to: origin) }
    for interaction in sent.map(\.interaction) + unanswered { try pass.collect(interaction) }
    pass.table.reserve(pass.foreignNumbers)
    var pins: [Int: Int] = [:]
    for (value, number) in pass.pinned { pins[pass.table.secret(value)] = number }
    pass.table.renumber(pins, reserved: pass.foreignNumbers)

    // Once with numbers of its own, to see which exchange is which; then with those the cassette has for its secrets.
    var drafts: [Interaction] = []
    for exchange in sent { drafts.append(try pass.redacting(exchange.interaction)) }
    let partners = known.map { $0 } ?? partners(of: drafts, of: sent)
    try adoptNumbers(drafts, partners, pins, isSure: known != nil || keepsNumbers || unasked == .listed)
    let volatility = RecordingVolatility(learningFrom: old.interactions, drafts)

    var places: [Place] = []
    var outcomes = [Outcome](repeating: .unchanged, count: sent.count)
    for (index, partner) in partners.enumerated() {
      var exchange = try pass.redacting(sent[index].interaction)
      exchange.tag(by: sent[index].by)
      let name = "\(exchange.method.rawValue) \(exchange.url)"
      guard let partner else {
        outcomes[index] = .added(name)
        places.append(.new(exchange, behind: nil))
        continue
      }
      let again = again(exchange, sent[index], old.interactions[partner], isKnown: known != nil, volatility)
      if let taken = places.first(where: { $0.partner == partner }) {
        // Several tests share a recording that is nobody's, as long as they get the same answer.
        if taken.holds(again.interaction, or: old.interactions[partner]) {
          places.append(.shared(partner))
        } else {
          outcomes[index] = .added(name)
          places.append(.new(exchange, behind: partner))
        }
        continue
      }
      outcomes[index] = again.outcome
      places.append(.again(again.interaction, partner))
    }
    return try result(cassette, sent.map(\.by), places, outcomes, asked(unanswered, partners))
  }

  /// What takes the place of an old recording, nil when it stays as it is, and what that is called.
  private func again(
    _ exchange: Interaction, _ sent: Sent, _ before: Interaction, isKnown: Bool, _ volatility: RecordingVolatility
  ) -> (interaction: Interaction?, outcome: Outcome) {
    var after = exchange
    if isKnown { Self.keepRequest(&after, before) } else { keepExample(&after, before, sent.match) }
    // First what differs each time: what is left is a change, and the only one to be seen.
    if !RecordingComparison.isSame(before, after) { volatility.settle(&after, like: before) }
    if RecordingComparison.isSame(before, after) { return (nil, .unchanged) }
    let reason: String? =
      if edited.contains(before.id) {
        "changed by hand meanwhile"
      } else if !keepsFailures, let failure = exchange.failure {
        failure.name
      } else if !keepsFailures, exchange.breaksOff, !before.breaksOff, before.failure == nil {
        "the origin broke off"
      } else if !sent.replaces {
        "its test failed"
      } else {
        nil
      }
    let name = before.id.isEmpty ? "\(before.method.rawValue) \(before.url)" : before.id
    if let reason { return (nil, .kept("\(name): \(reason)")) }
    Self.resemble(&after, before)
    return (after, .changed(name))
  }
}
