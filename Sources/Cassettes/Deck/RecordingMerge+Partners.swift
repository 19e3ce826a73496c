import HTTP

/// Which of the exchanges there were is made again by which of the new ones.
extension RecordingMerge {
  /// For each new exchange the old one that it is again: the first of the same request that is not taken.
  func partners(of drafts: [Interaction]) -> [Int?] {
    var partners = [Int?](repeating: nil, count: drafts.count)
    var taken: Set<Int> = []
    // The same body first: a new query must not shift all that are sent to one address.
    for byBody in [true, false] {
      var waiting: [Key: [Int]] = [:]
      for index in old.interactions.indices.reversed() where !taken.contains(index) {
        waiting[key(of: old.interactions[index], byBody), default: []].append(index)
      }
      for index in drafts.indices where partners[index] == nil {
        guard let partner = waiting[key(of: drafts[index], byBody)]?.popLast() else { continue }
        partners[index] = partner
        taken.insert(partner)
      }
    }
    adopt(drafts, &partners, &taken)
    return partners
  }

  /// What is left goes to the recordings whose rules it meets: a person widened them so that they answer it.
  private func adopt(_ drafts: [Interaction], _ partners: inout [Int?], _ taken: inout Set<Int>) {
    let ruled = old.interactions.indices.filter { old.interactions[$0].rules?.match.isEmpty == false }
    guard !ruled.isEmpty else { return }
    for index in drafts.indices where partners[index] == nil {
      guard let target = HTTPTarget(drafts[index].pathAndQuery) else { continue }
      let request = HTTPRequest(
        method: drafts[index].method, target: target, headers: drafts[index].requestHeaders,
        body: (try? drafts[index].requestBody?.bytes()) ?? [])
      let reading = RequestReading(request)
      let partner = ruled.first { number in
        let interaction = old.interactions[number]
        return !taken.contains(number)
          && interaction.match.accepts(method: request.method, recorded: interaction.method)
          && interaction.match.accepts(reading, interaction)
      }
      if let partner {
        partners[index] = partner
        taken.insert(partner)
      }
    }
  }

  /// What a request is found again by.
  private struct Key: Hashable {
    var request: String
    var body: [UInt8]?

    func hash(into hasher: inout Hasher) {
      hasher.combine(request)
      // Not each byte by itself, which takes seconds in a debug build.
      body?.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    static func == (one: Key, other: Key) -> Bool {
      guard one.request == other.request else { return false }
      if let body = one.body, let other = other.body { return ByteSearch.isSame(body, other) }
      return one.body == nil && other.body == nil
    }
  }

  private func key(of interaction: Interaction, _ byBody: Bool) -> Key {
    let request = "\(interaction.method.rawValue) \(SecretAlias.neutral(interaction.url).text)"
    guard byBody, let body = try? interaction.requestBody?.bytes() else { return Key(request: request) }
    let type = interaction.requestHeaders["Content-Type"].flatMap { MediaType($0) }
    var bytes = SecretAlias.neutral(body).bytes
    if type?.type == "multipart", let boundary = type?.parameter("boundary"), !boundary.isEmpty {
      bytes = Array(RecordingComparison.without(boundary, bytes).joined(separator: [0]))
    }
    return Key(request: request, body: bytes)
  }

  /// The old exchanges that were asked for and not answered: each request spares one that nothing took the place of.
  mutating func spared(_ unanswered: [Interaction], _ partners: [Int?]) throws(CassetteError) -> Set<Int> {
    guard unseen == .dropped, !unanswered.isEmpty else { return [] }
    let taken = Set(partners.compactMap(\.self))
    var waiting: [Key: [Int]] = [:]
    for index in old.interactions.indices.reversed() where !taken.contains(index) {
      waiting[key(of: old.interactions[index], false), default: []].append(index)
    }
    var spared: Set<Int> = []
    for interaction in unanswered {
      let draft = try pass.redacting(interaction)
      if let index = waiting[key(of: draft, false)]?.popLast() { spared.insert(index) }
    }
    return spared
  }
}
