import HTTP

/// Brings what was recorded into the cassette there was, so that what did not change makes no difference.
struct RecordingMerge {
  let old: Cassette
  let unseen: Unseen
  var pass: RedactionPass
  /// Whether a secret in what was seen again has the number it had there, wherever else that number stands.
  var keepsNumbers = false
  /// What was asked and came to no answer that can be kept: what was recorded of it stays.
  var unanswered: [Interaction] = []

  /// What becomes of exchanges that were there and were not seen again.
  enum Unseen {
    /// They go: the cassette becomes what was exchanged.
    case dropped
    /// They stay, and what was seen takes the place of what it is again.
    case kept
    /// All that was there stays as it is; what was seen comes behind it.
    case untouched
  }

  /// - Parameters:
  ///   - cassette: What was recorded before.
  ///   - unseen: What becomes of what is not seen again.
  ///   - redaction: How secrets are taken out.
  ///   - pinned: Numbers of secrets that bodies which are written already go by.
  init(into cassette: Cassette, unseen: Unseen, _ redaction: Redaction, pinned: [[UInt8]: Int] = [:]) {
    old = cassette
    self.unseen = unseen
    pass = RedactionPass(redaction)
    pass.pinned = pinned
  }

  /// Where in the result an exchange comes from.
  private enum Source {
    case old(Int)
    case new(Int, replacing: Int?)
  }

  /// The cassette of what was sent, and what is different in it.
  ///
  /// - Parameters:
  ///   - sent: What was exchanged, in the order in which it was sent.
  ///   - known: For each, which old one it is again, and whose request then stays as it was; nil to find that out.
  /// - Returns: The cassette, and what is different in it.
  /// - Throws: When a body is in a file that cannot be read.
  mutating func merged(
    _ sent: [Interaction], again known: [Int]? = nil
  ) throws(CassetteError) -> (cassette: Cassette, changes: Recording.Changes) {
    // A run that sent nothing says nothing about what was recorded.
    guard !sent.isEmpty else { return (old, Recording.Changes(unchanged: old.interactions.count)) }
    var cassette = old
    if cassette.origin == nil, cassette.interactions.isEmpty { cassette.origin = Self.origin(of: sent) }
    let sent = sent.map { Self.relative($0, to: cassette.origin) }
    let unanswered = unanswered.map { Self.relative($0, to: cassette.origin) }
    for interaction in sent + unanswered { try pass.collect(interaction) }
    pass.vault.reserve(pass.foreignNumbers)
    var pins: [Int: Int] = [:]
    for (value, number) in pass.pinned { pins[pass.vault.secret(value)] = number }
    pass.vault.renumber(pins, reserved: pass.foreignNumbers)

    // Once with numbers of its own, to see which exchange is which; then with those the cassette has for its secrets.
    var drafts: [Interaction] = []
    for interaction in sent { drafts.append(try pass.redacting(interaction)) }
    let partners =
      unseen == .untouched ? [Int?](repeating: nil, count: sent.count) : known.map { $0 } ?? partners(of: drafts)
    try adoptNumbers(drafts, partners, pins, isSure: known != nil || keepsNumbers)
    let spared = try spared(unanswered, partners)
    let sources = order(partners, spared)
    let volatility = RecordingVolatility(learningFrom: old.interactions, drafts)

    var changes = Recording.Changes()
    cassette.interactions = []
    for source in sources {
      switch source {
      case .old(let index):
        // Kept, but not what is now known to be a secret.
        let before = old.interactions[index]
        let after = try pass.redacting(before, onlyKnown: true)
        if RecordingComparison.isSame(before, after) {
          changes.unchanged += 1
          cassette.interactions.append(before)
        } else {
          changes.changed.append(before.id)
          cassette.interactions.append(after)
        }
      case .new(let index, nil):
        let interaction = try pass.redacting(sent[index])
        changes.added.append("\(interaction.method.rawValue) \(interaction.url)")
        cassette.interactions.append(interaction)
      case .new(let index, let partner?):
        let before = old.interactions[partner]
        var after = try pass.redacting(sent[index])
        if known != nil { Self.keepRequest(&after, before) } else { Self.keepExample(&after, before) }
        // First what differs each time: what is left is a change, and the only one to be seen.
        if !RecordingComparison.isSame(before, after) { volatility.settle(&after, like: before) }
        if RecordingComparison.isSame(before, after) {
          changes.unchanged += 1
          cassette.interactions.append(before)
        } else {
          changes.changed.append(before.id)
          Self.resemble(&after, before)
          cassette.interactions.append(after)
        }
      }
    }
    if unseen == .dropped {
      let seen = spared.union(partners.compactMap(\.self))
      changes.gone = old.interactions.indices.filter { !seen.contains($0) }.map { old.interactions[$0].id }
    }
    if let origin = cassette.origin, let redacted = try redactedOrigin(origin) { cassette.origin = redacted }
    return (cassette, changes)
  }

  private mutating func redactedOrigin(_ origin: String) throws(CassetteError) -> String? {
    let probe = Interaction(method: .get, url: origin, outcome: .failure(RecordedFailure(code: -1)))
    let redacted = try pass.redacting(probe).url
    return redacted == origin ? nil : redacted
  }

  // MARK: Order

  /// Old order for what is there again; what is new comes after what was sent before it.
  private func order(_ partners: [Int?], _ spared: Set<Int>) -> [Source] {
    var sources: [Source] = []
    if unseen == .untouched {
      return old.interactions.indices.map(Source.old) + partners.indices.map { .new($0, replacing: nil) }
    }
    var followers: [Int: [Int]] = [:]
    var previous = -1
    for (index, partner) in partners.enumerated() {
      if let partner { previous = partner } else { followers[previous, default: []].append(index) }
    }
    sources += (followers[-1] ?? []).map { .new($0, replacing: nil) }
    var newByOld: [Int: Int] = [:]
    for (index, partner) in partners.enumerated() { if let partner { newByOld[partner] = index } }
    for partner in old.interactions.indices {
      guard let index = newByOld[partner] else {
        if unseen == .kept || spared.contains(partner) { sources.append(.old(partner)) }
        continue
      }
      sources.append(.new(index, replacing: partner))
      sources += (followers[partner] ?? []).map { .new($0, replacing: nil) }
    }
    return sources
  }

  // MARK: Aliases

  /// Gives each secret the number the cassette has for it, found by what stands around it.
  private mutating func adoptNumbers(
    _ drafts: [Interaction], _ partners: [Int?], _ pins: [Int: Int], isSure: Bool
  ) throws(CassetteError) {
    var reserved = pass.foreignNumbers
    if unseen != .dropped {
      for interaction in old.interactions {
        for part in try Self.parts(of: interaction) { reserved.formUnion(SecretAlias.neutral(part.text).numbers) }
      }
    }
    var secrets: [Int: Int] = [:]
    for (secret, number) in pass.vault.numbers { secrets[number] = secret }
    var given = pins
    // Who repeats one request of many means its secrets by the numbers they have all over the cassette.
    var used = (isSure ? pass.foreignNumbers : reserved).union(pins.values)
    for (index, partner) in partners.enumerated() {
      guard let partner else { continue }
      for part in try Self.parts(of: drafts[index]) {
        let new = SecretAlias.neutral(part.text)
        guard !new.numbers.isEmpty else { continue }
        for candidate in try Self.parts(of: old.interactions[partner], named: part.name) {
          let old = SecretAlias.neutral(candidate.text)
          guard old.numbers.count == new.numbers.count, ByteSearch.isSame(old.bytes, new.bytes) else { continue }
          for (number, oldNumber) in zip(new.numbers, old.numbers) {
            guard let secret = secrets[number], given[secret] == nil, used.insert(oldNumber).inserted else { continue }
            given[secret] = oldNumber
          }
          break
        }
      }
    }
    pass.vault.renumber(given, reserved: reserved)
  }

  /// The texts in which aliases may stand, each under a name that says which it is; a body is read only if it is asked for.
  private static func parts(
    of interaction: Interaction, named name: String? = nil
  ) throws(CassetteError) -> [(name: String, text: [UInt8])] {
    var parts = [("url", Array(interaction.url.utf8))]
    for field in interaction.requestHeaders {
      parts.append(("> \(field.name.lowercased())", Array(field.value.utf8)))
    }
    if let body = interaction.requestBody, name == nil || name == ">", try body.openLongFile() == nil {
      parts.append((">", try body.bytes()))
    }
    for field in interaction.response?.trailers ?? [] {
      parts.append(("<< \(field.name.lowercased())", Array(field.value.utf8)))
    }
    for field in interaction.response?.headers ?? [] {
      parts.append(("< \(field.name.lowercased())", Array(field.value.utf8)))
    }
    if let body = interaction.response?.body, name == nil || name == "<", try body.openLongFile() == nil {
      parts.append(("<", try body.bytes()))
    }
    if let name { parts.removeAll { $0.0 != name } }
    return parts
  }

  // MARK: Details

  /// Of requests that rules say are one, the first is example enough: another each time would be a change each time.
  private static func keepExample(_ new: inout Interaction, _ old: Interaction) {
    guard let rules = old.rules?.match, !rules.isEmpty,
      new.method != old.method || SecretAlias.neutral(new.url).text != SecretAlias.neutral(old.url).text
    else { return }
    (new.method, new.url) = (old.method, old.url)
    (new.requestHeaders, new.requestBody) = (old.requestHeaders, old.requestBody)
  }

  /// What a person or the cassette decided about an exchange outlives its content.
  private static func resemble(_ new: inout Interaction, _ old: Interaction) {
    new.id = old.id
    new.repeatPolicy = old.repeatPolicy
    if let rules = old.rules { (new.match, new.replay) = (rules.match, rules.replay) }
    new.requestHeaders = RecordingComparison.ordered(new.requestHeaders, like: old.requestHeaders)
    if case .response(var response) = new.outcome, let before = old.response {
      response.headers = RecordingComparison.ordered(response.headers, like: before.headers)
      new.outcome = .response(response)
    }
  }

  private static func keepRequest(_ new: inout Interaction, _ old: Interaction) {
    new.method = old.method
    new.url = old.url
    new.requestHeaders = old.requestHeaders
    new.requestBody = old.requestBody
  }

  /// The origin of most of them: the first one's, unless its URL has a user in it.
  private static func origin(of sent: [Interaction]) -> String? {
    sent.lazy.compactMap { RecordedTarget.origin(of: $0.url) }.first { CassetteFileGrammar.isOrigin($0) }
  }

  private static func relative(_ interaction: Interaction, to origin: String?) -> Interaction {
    guard let origin, RecordedTarget.origin(of: interaction.url) == RecordedTarget.canonicalOrigin(origin) else {
      return interaction
    }
    var interaction = interaction
    interaction.url = interaction.pathAndQuery
    return interaction
  }
}
