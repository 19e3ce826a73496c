import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import Cassettes

/// Matches new exchanges with the old recordings that they repeat.
extension RecordingMerge {
  /// Finds the old recording that each new exchange repeats: the first unused recording of the same request.
  ///
  /// A test matches its own recordings and those without a test, which it shares with other tests, but never those of
  /// another test. Exchanges without a test match all recordings.
  func partners(of drafts: [Interaction], of sent: [Sent]) -> [Int?] {
    let keys = sent.map(\.by)
    var partners = [Int?](repeating: nil, count: drafts.count)
    var taken = Taken(tags: old.interactions.map { $0.recorded?.by })
    let findable = Array(old.interactions.indices).filter { index in self.findable?.contains(index) ?? true }
    let asks = (old: old.interactions.map { AskedFields($0) }, new: drafts.map { AskedFields($0) })
    let tags = taken.tags
    func isAgain(_ index: Int, _ draft: Int, _ likeness: AskedFields.Likeness) -> Bool {
      // A test's own recording matches regardless of other fields.
      let isOwn = keys[draft] != nil && tags[index] == keys[draft]
      return asks.old[index].isLike(asks.new[draft], likeness) || isOwn && likeness == .circumstances
    }
    func find(_ kind: RecordedRequestKey.Body, _ findable: [Int], _ likeness: AskedFields.Likeness) {
      self.find(kind, findable, drafts, keys, &partners, &taken) { isAgain($0, $1, likeness) }
    }
    // Exact matches come first, so that a new query does not shift the recordings of other requests to the same path.
    for likeness in AskedFields.Likeness.allCases { find(.compared, findable, likeness) }
    adopt(findable, drafts, sent, &partners, &taken) { isAgain($0, $1, .circumstances) }
    find(.withoutGenerated, findable, .circumstances)
    // A recording without a body matches any body if a person wrote it, or if the recorder omitted an empty body.
    let open = findable.filter { index in
      let old = old.interactions[index]
      return !old.hasRequestBody && !old.lacksRequestBody
    }
    find(.ignored, open, .circumstances)
    return partners
  }

  /// The old recordings that are already matched, and the tests they are matched with.
  private struct Taken {
    let tags: [String?]
    private var all: Set<Int> = []
    private var byTest: [String: Set<Int>] = [:]

    init(tags: [String?]) { self.tags = tags }

    /// True if a recording may be the partner of an exchange of a test; the key is nil for a recorder outside tests.
    func allows(_ index: Int, _ key: String?) -> Bool {
      guard let key else { return !all.contains(index) }
      guard let tag = tags[index] else { return byTest[key]?.contains(index) != true }
      return tag == key && !all.contains(index)
    }

    /// True if a recording has a partner, and no other test can share it.
    func isSpent(_ index: Int, hasKeys: Bool) -> Bool { all.contains(index) && (!hasKeys || tags[index] != nil) }

    mutating func take(_ index: Int, _ key: String?) {
      all.insert(index)
      if let key { byTest[key, default: []].insert(index) }
    }
  }

  private func find(
    _ kind: RecordedRequestKey.Body, _ findable: [Int], _ drafts: [Interaction], _ keys: [String?],
    _ partners: inout [Int?], _ taken: inout Taken, _ fits: (_ old: Int, _ new: Int) -> Bool
  ) {
    guard partners.contains(nil), !findable.isEmpty else { return }
    // The recordings of each request, and the number of leading ones that cannot be matched any more.
    var candidates: [RecordedRequestKey: (places: [Int], spent: Int)] = [:]
    for index in findable {
      candidates[RecordedRequestKey(old.interactions[index], kind), default: ([], 0)].places.append(index)
    }
    let hasKeys = keys.contains { $0 != nil }
    for index in drafts.indices where partners[index] == nil {
      let key = RecordedRequestKey(drafts[index], kind)
      guard var spent = candidates[key]?.spent, let places = candidates[key]?.places else { continue }
      while spent < places.count, taken.isSpent(places[spent], hasKeys: hasKeys) { spent += 1 }
      candidates[key]?.spent = spent
      func isFree(_ place: Int) -> Bool { taken.allows(place, keys[index]) && fits(place, index) }
      // Recordings of the same test are preferred.
      let own = keys[index] == nil ? nil : places[spent...].first { taken.tags[$0] == keys[index] && isFree($0) }
      guard let partner = own ?? places[spent...].first(where: isFree) else { continue }
      partners[index] = partner
      taken.take(partner, keys[index])
    }
  }

  /// Matches the remaining exchanges with recordings whose user-defined rules accept them.
  private func adopt(
    _ findable: [Int], _ drafts: [Interaction], _ sent: [Sent], _ partners: inout [Int?], _ taken: inout Taken,
    _ fits: (_ old: Int, _ new: Int) -> Bool
  ) {
    let isCommon = !old.match.isEmpty || sent.contains { !$0.match.isEmpty }
    let ruled = isCommon ? findable : findable.filter { old.interactions[$0].rules?.match.isEmpty == false }
    for index in drafts.indices where partners[index] == nil {
      let partner = ruled.first { number in
        taken.allows(number, sent[index].by) && fits(number, index)
          && isAnswered(drafts[index], by: old.interactions[number], sent[index].match)
      }
      if let partner {
        partners[index] = partner
        taken.take(partner, sent[index].by)
      }
    }
  }

  /// True if the rules of a recording, its file and its player accept a request.
  func isAnswered(_ draft: Interaction, by interaction: Interaction, _ match: MatchRules) -> Bool {
    let rules = (interaction.rules?.match ?? MatchRules()).over(match.over(old.match))
    guard !rules.isEmpty, rules.accepts(method: draft.method, recorded: interaction.method),
      let target = HTTPTarget(draft.pathAndQuery), let body = try? draft.requestBody?.bytes() ?? []
    else { return false }
    let request = HTTPRequest(method: draft.method, target: target, headers: draft.requestHeaders, body: body)
    guard rules.accepts(RequestReading(request), interaction) else { return false }
    guard !rules.decidesBody, let recorded = try? interaction.requestBody?.bytes() else { return true }
    let bodies = [(recorded, interaction), (body, draft)].map { bytes, exchange in
      NormalBody(
        SecretAlias.neutral(bytes).bytes, contentType: exchange.requestHeaders["Content-Type"],
        tolerance: rules.tolerance)
    }
    return bodies[0].digest == bodies[1].digest || bodies[0].differences(from: bodies[1]).isEmpty
  }

  /// Returns the requested old recordings, and messages for those without a new response.
  ///
  /// Each request without a response keeps one recording that was not replaced.
  mutating func asked(
    _ unanswered: [Interaction], _ partners: [Int?]
  ) throws(CassetteError) -> (all: Set<Int>, unanswered: [String]) {
    var asked = Set(partners.compactMap(\.self))
    var lines: [String] = []
    guard !unanswered.isEmpty else { return (asked, lines) }
    var waiting: [RecordedRequestKey: [Int]] = [:]
    for index in old.interactions.indices.reversed() where !asked.contains(index) {
      waiting[RecordedRequestKey(old.interactions[index], .ignored), default: []].append(index)
    }
    for interaction in unanswered {
      let draft = try pass.redacting(interaction)
      guard let index = waiting[RecordedRequestKey(draft, .ignored)]?.popLast() else { continue }
      asked.insert(index)
      lines.append("\(old.interactions[index].id): no response")
    }
    return (asked, lines)
  }
}
