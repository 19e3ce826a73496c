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
    var match = MatchRules()

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
      use.warnings += pass.warnings.map { "\(name): \($0)" }
      use.keptGuesses.formUnion(pass.keptGuesses)
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
    func prepared(echoes: Bool) -> (after: Interaction, example: Example?) {
      var after = exchange
      var example: Example?
      if isKnown {
        Self.keepRequest(&after, before)
      } else {
        example = keepExample(&after, before, sent.match, echoes ? volatility : nil)
      }
      // Volatile values are restored first, so that only real changes remain.
      if !sent.renews, !RecordingComparison.isSame(before, after) { volatility.settle(&after, like: before) }
      return (after, example)
    }
    var (after, example) = prepared(echoes: !sent.renews)
    if !sent.renews, RecordingComparison.isSame(before, after) { return (nil, .unchanged) }
    if example == .echoes { (after, example) = prepared(echoes: false) }
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

/// Keeps the alias numbers of a cassette when it is recorded again.
extension RecordingMerge {
  /// The alias numbers of the secrets that are searched for everywhere.
  var pins: [[UInt8]: Int] { pass.table.pins }

  /// Assigns to each secret its number in the existing cassette, found by the text around the aliases.
  mutating func adoptNumbers(
    _ drafts: [Interaction], _ partners: [Int?], _ pins: [Int: Int], isSure: Bool
  ) throws(CassetteError) {
    var reserved = pass.foreignNumbers
    let replaced = Set(zip(drafts, partners).compactMap { $0.failure == nil ? $1 : nil })
    for (index, interaction) in old.interactions.enumerated() {
      for part in try Self.parts(of: interaction) {
        SecretAlias.each(in: part.text) { pass.table.spellings[$0.number] = $0.shape }
        if !replaced.contains(index) { reserved.formUnion(SecretAlias.numbers(in: part.text)) }
      }
    }
    var secrets: [Int: Int] = [:]
    for (secret, number) in pass.table.numbers { secrets[number] = secret }
    var given = pins
    // In a full recording, the secrets of a repeated request keep their old numbers even if recordings that are kept use
    // these numbers, because they contain the same secrets.
    var used = (isSure ? pass.foreignNumbers : reserved).union(pins.values)
    func give(_ numbers: [Int], of old: [Int]) {
      for (number, oldNumber) in zip(numbers, old) {
        guard let secret = secrets[number], given[secret] == nil, used.insert(oldNumber).inserted else { continue }
        given[secret] = oldNumber
      }
    }
    // Strings that also changed outside of their aliases.
    var changed: [ChangedText] = []
    for (index, partner) in partners.enumerated() {
      if let partner { changed += try Self.agree(drafts[index], old.interactions[partner], give) }
    }
    Self.agree(changed, give)
    pass.table.renumber(given, reserved: reserved)
  }

  /// Reserves all numbers of the cassette for their current secrets.
  mutating func reserveNumbers() throws(CassetteError) {
    for interaction in old.interactions {
      for part in try Self.parts(of: interaction) { pass.table.reserve(SecretAlias.numbers(in: part.text)) }
    }
  }

  /// A string that changed outside of its aliases.
  package typealias ChangedText = (new: [UInt8], old: [UInt8])

  /// Matches the alias numbers in an exchange with those in its old recording, and returns the strings in which this is
  /// not possible because other content changed.
  package static func agree(
    _ new: Interaction, _ old: Interaction, _ give: (_ new: [Int], _ old: [Int]) -> Void
  ) throws(CassetteError) -> [ChangedText] {
    var changed: [ChangedText] = []
    for part in try parts(of: new) {
      let neutral = SecretAlias.neutral(part.text)
      guard !neutral.numbers.isEmpty else { continue }
      let candidates = try parts(of: old, named: part.name).map(\.text)
      let same = candidates.lazy.map(SecretAlias.neutral).first { old in
        old.numbers.count == neutral.numbers.count && ByteSearch.isSame(old.bytes, neutral.bytes)
      }
      if let same { give(neutral.numbers, same.numbers) } else { changed += candidates.map { (part.text, $0) } }
    }
    return changed
  }

  /// Matches the alias numbers in changed strings, by the text around each alias.
  package static func agree(_ changed: [ChangedText], _ give: (_ new: [Int], _ old: [Int]) -> Void) {
    for (new, old) in changed {
      let pieces = pieces(of: old)
      for piece in self.pieces(of: new).sorted(by: { ($0.value[0], $0.key) < ($1.value[0], $1.key) }) {
        if let old = pieces[piece.key], old.count == piece.value.count { give(piece.value, old) }
      }
    }
  }

  /// Returns the alias numbers by the surrounding text, up to commas, line ends, `&` and `;`.
  private static func pieces(of text: [UInt8]) -> [String: [Int]] {
    text.split { pieceEnds.contains($0) }.reduce(into: [:]) { pieces, piece in
      let piece = SecretAlias.neutral(Array(piece))
      if !piece.numbers.isEmpty { pieces[String(decoding: piece.bytes, as: UTF8.self), default: []] += piece.numbers }
    }
  }

  private static let pieceEnds = ByteSet(adding: ",\r\n&;")

  /// Returns the parts that may contain aliases, with a name for each; a body is read only if requested.
  package static func parts(
    of interaction: Interaction, named name: String? = nil
  ) throws(CassetteError) -> [(name: String, text: [UInt8])] {
    var parts = [("url", Array(interaction.url.utf8))]
    for field in interaction.requestHeaders {
      parts.append(header(">", field))
    }
    if let body = interaction.requestBody, name == nil || name == ">", try body.openLongFile() == nil {
      parts.append((">", try body.bytes()))
    }
    for field in interaction.response?.trailers ?? [] {
      parts.append(header("<<", field))
    }
    for field in interaction.response?.headers ?? [] {
      parts.append(header("<", field))
    }
    if let body = interaction.response?.body, name == nil || name == "<", try body.openLongFile() == nil {
      parts.append(("<", try body.bytes()))
    }
    if let name { parts.removeAll { $0.0 != name } }
    return parts
  }

  /// Returns a field without volatile parts, such as the expiration date of a cookie.
  private static func header(_ side: String, _ field: HTTPHeaders.Field) -> (name: String, text: [UInt8]) {
    let name = field.name.lowercased()
    return ("\(side) \(name)", Array(RecordingComparison.value(of: name, field.value).utf8))
  }
}

/// Orders recordings in a cassette, independent of the order in which they were recorded.
extension RecordingMerge {
  /// The placement of an exchange.
  enum Place {
    /// A new recording; `behind` is the old recording that the same request repeats, if any.
    case new(Interaction, behind: Int?)
    /// A repetition of an old recording, which is kept unchanged if there is no replacement.
    case again(Interaction?, Int)
    /// A repetition of an old recording that another test of this session already repeated.
    case shared(Int)

    /// The index of the old recording that the exchange repeats.
    var partner: Int? { if case .again(_, let partner) = self { partner } else { nil } }

    /// True if the resulting recording equals the one of another test.
    func holds(_ other: Interaction?, or old: Interaction) -> Bool {
      guard case .again(let mine, _) = self else { return false }
      return mine == nil && other == nil || RecordingComparison.isSame(mine ?? old, other ?? old)
    }
  }

  /// Assembles a cassette from the old recordings in their order, each new recording after its predecessor.
  mutating func result(
    _ cassette: Cassette, _ keys: [String?], _ places: [Place], _ outcomes: [Outcome],
    _ asked: (all: Set<Int>, unanswered: [String])
  ) throws(CassetteError) -> Result {
    var cassette = cassette
    var again: [Int: Interaction] = [:]
    for case .again(let interaction?, let partner) in places { again[partner] = interaction }
    let behind = followers(keys, places)
    var result = Result(
      cassette: cassette, sources: [], outcomes: outcomes, asked: asked.all, unanswered: asked.unanswered)
    result.replaced = Set(again.keys)
    cassette.interactions = []
    func append(_ interaction: Interaction, _ source: Int?) {
      cassette.interactions.append(interaction)
      result.sources.append(source)
    }
    for interaction in behind[-1] ?? [] { append(interaction, nil) }
    for (index, before) in old.interactions.enumerated() {
      var kept = before
      if let interaction = again[index] {
        kept = interaction
      } else {
        // The recording is kept, but newly known secrets are redacted.
        let after = try pass.redacting(before, onlyKnown: true)
        if !RecordingComparison.isSame(before, after) {
          result.reredacted.append(before.id)
          kept = after
        }
      }
      append(kept, index)
      for interaction in behind[index] ?? [] { append(interaction, nil) }
    }
    cassette.origin = cassette.origin.map { pass.redacting($0, as: .url) }
    result.cassette = cassette
    return result
  }

  /// Returns the new recordings by the index of the old recording that precedes them; -1 for the beginning.
  private func followers(_ keys: [String?], _ places: [Place]) -> [Int: [Interaction]] {
    let tags = old.interactions.map { $0.recorded?.by }
    var behind: [Int: [Interaction]] = [:]
    var first: [String?: Int] = [:]
    for (key, place) in zip(keys, places) {
      guard let partner = place.partner else { continue }
      first[key] = min(first[key] ?? .max, partner)
    }
    /// The index of the previous exchange of each test.
    var last: [String?: Int] = [:]
    for (key, place) in zip(keys, places) {
      switch place {
      case .again(_, let partner), .shared(let partner): last[key] = partner
      case .new(let interaction, let partner):
        let position = partner ?? last[key] ?? Self.beginning(of: key, before: first[key], tags)
        let settled = Self.advanced(position, for: key, tags)
        behind[settled, default: []].append(interaction)
        last[key] = settled
      }
    }
    return behind
  }

  /// Returns the index after which a test is inserted whose first exchange is new.
  private static func beginning(of key: String?, before first: Int?, _ tags: [String?]) -> Int {
    if let first {
      var position = first - 1
      while let key, position >= 0, let tag = tags[position], TestOrder.precedes(key, tag) { position -= 1 }
      return position
    }
    guard let key else { return tags.count - 1 }
    let earlier = tags.lastIndex { tag in tag.map { !TestOrder.precedes(key, $0) } ?? false }
    let later = tags.firstIndex { tag in tag.map { TestOrder.precedes(key, $0) } ?? false }
    return earlier ?? later.map { $0 - 1 } ?? tags.count - 1
  }

  /// Skips the recordings of preceding tests after a recording without a test.
  private static func advanced(_ position: Int, for key: String?, _ tags: [String?]) -> Int {
    guard let key, position >= 0, tags[position] == nil else { return position }
    var position = position
    while position + 1 < tags.count, let tag = tags[position + 1], TestOrder.precedes(tag, key) { position += 1 }
    return position
  }
}

/// The order of tests in a shared cassette: by name, with numbers compared by value.
package enum TestOrder {
  /// True if a test's recordings precede another test's: `item(2)` is before `item(10)`.
  package static func precedes(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    var (left, right) = (one[...], other[...])
    while let first = left.first, let second = right.first {
      let numbers = (left.prefix(while: \.isDigit), right.prefix(while: \.isDigit))
      if !numbers.0.isEmpty, !numbers.1.isEmpty {
        let values = (numbers.0.drop { $0 == 0x30 }, numbers.1.drop { $0 == 0x30 })
        if values.0.count != values.1.count { return values.0.count < values.1.count }
        if !values.0.elementsEqual(values.1) { return values.0.lexicographicallyPrecedes(values.1) }
        left = left.dropFirst(numbers.0.count)
        right = right.dropFirst(numbers.1.count)
      } else {
        if first != second { return first < second }
        left = left.dropFirst()
        right = right.dropFirst()
      }
    }
    if left.isEmpty != right.isEmpty { return left.isEmpty }
    // `a01` and `a1` are different tests.
    return one.lexicographicallyPrecedes(other)
  }
}
