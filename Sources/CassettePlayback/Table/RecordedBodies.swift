internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// The result of comparing a sent body with a recorded one.
enum BodyRelation: Sendable {
  /// The recording does not compare bodies.
  case unsaid
  /// The recorded request had a body, or may have had one, that the recording does not contain.
  case unknown
  case equal
  /// Equal, and with the stand-ins that were sent in place of secrets.
  case same
  /// Only values that are generated at each call differ.
  case generated
  case different

  func rank(_ request: RequestReading) -> Int {
    switch self {
    case .unsaid: request.request.body.isEmpty ? 2 : 1
    case .equal: 2
    case .same: 3
    case .generated, .unknown: 1
    case .different: 0
    }
  }
}

/// The bodies of a table's recorded requests in normal form, each computed on its first comparison.
///
/// The digests of all bodies are cached, so that each of a thousand recordings of one target costs one look-up; bodies
/// that have to be compared place by place are cached up to a limit.
final class RecordedBodies: Sendable {
  /// The maximum number of bytes of cached bodies.
  private static let limit = 16 << 20
  /// The maximum number of recordings of one target that are searched for changing values.
  static let mostCompared = 64

  private enum Facts: Sendable {
    case unsaid
    /// The recorded request had no body.
    case none
    case unknown
    case unreadable(String)
    case plain(NormalBody.Kind, BodyDigest, skeleton: BodyDigest)
    /// Secrets were removed, or digests cannot express the tolerance; the digest is that of the body with stand-ins for
    /// secrets.
    case placewise(BodyDigest)
  }

  private struct Kept: Sendable {
    var facts: [Int: Facts] = [:]
    /// Without this cache, sixty recordings of 1 KB with a secret cost a request 2.3 ms of processor time; with it, 0.7
    /// ms.
    var bodies: [Int: NormalBody] = [:]
    var size = 0
    /// Without this cache, sixty recordings that differ in two ids cost a request 5.1 ms of processor time; with it,
    /// 2.8 ms.
    var changing: [[Int]: BodyPlaces] = [:]
    /// Without this index, a request with one of 25,000 bodies costs 20 ms of processor time; with it, 0.5 ms.
    var indices: [[Int]: DigestIndex] = [:]
    /// The paths of ignored values; true if the path selected a value of a compared body.
    var ignored: [JSONQuery: Bool] = [:]
  }

  /// The recordings of one target by the digests of their bodies, and those whose digest does not decide.
  private struct DigestIndex: Sendable {
    var equal: [BodyDigest: [Int]] = [:]
    var others: [Int] = []
  }

  private let kept = Locked(Kept())

  /// The paths of ignored values that selected nothing in all bodies that were compared.
  var ignoredNeverFound: [String] {
    kept.withLock { $0.ignored.filter { !$0.value }.map { "\($0.key)" }.sorted() }
  }

  private func noteIgnored(in body: NormalBody, _ tolerance: JSONTolerance) {
    guard !tolerance.ignored.isEmpty,
      kept.withLock({ kept in tolerance.ignored.contains { kept.ignored[$0] != true } })
    else { return }
    let unmet = body.unmet
    kept.withLock { kept in
      for path in tolerance.ignored where kept.ignored[path] != true { kept.ignored[path] = !unmet.contains(path) }
    }
  }

  /// Compares a request's body with the body of a recording.
  func relation(of request: RequestReading, to entry: Int, in table: RecordingTable, changing: BodyPlaces)
    -> BodyRelation
  {
    let tolerance = table.rules(of: entry)?.tolerance ?? JSONTolerance()
    let facts = facts(of: entry, in: table)
    switch facts {
    case .plain, .placewise: noteIgnored(in: request.body(tolerance), tolerance)
    default: break
    }
    switch facts {
    case .unsaid: return .unsaid
    case .none: return request.request.body.isEmpty ? .equal : .different
    case .unknown: return isAnyBodySent(request, table.entries[entry].interaction) ? .unknown : .unsaid
    case .unreadable: return .different
    case .plain(let kind, let digest, let skeleton):
      let sent = request.body(tolerance)
      if sent.digest == digest { return .equal }
      if sent.skeleton == skeleton { return .generated }
      // The same bytes may have been sent with another content type.
      guard !changing.isEmpty || sent.kind != kind else { return .different }
    case .placewise(let given): if request.body(tolerance).digest == given { return .same }
    }
    guard let recorded = body(of: entry, in: table) else { return .different }
    let differences = recorded.differences(from: request.body(tolerance), changing: changing)
    if differences.isEmpty { return .equal }
    return differences.allSatisfy(\.isGenerated) ? .generated : .different
  }

  /// Returns the recordings with the body of a request, and the recordings without a digest.
  ///
  /// Nil if no recording has the body, or if the target has few recordings.
  func equal(to request: RequestReading, among entries: [Int], in table: RecordingTable) -> [Int]? {
    guard entries.count > Self.mostCompared, let last = entries.last else { return nil }
    let key = [entries[0], last, entries.count]
    let index = kept.withLock { $0.indices[key] } ?? makeIndex(of: entries, in: table)
    kept.withLock { $0.indices[key] = index }
    return index.equal[request.body(JSONTolerance()).digest].map { ($0 + index.others).sorted() }
  }

  /// Returns the index of a target; empty if a recording is compared loosely, because it prefers equal fields to an equal
  /// body.
  private func makeIndex(of entries: [Int], in table: RecordingTable) -> DigestIndex {
    if entries.contains(where: { table.entries[$0].level == .loose }) { return DigestIndex() }
    return entries.reduce(into: DigestIndex()) { index, entry in
      guard table.rules(of: entry) == nil, case .plain(_, let digest, _) = facts(of: entry, in: table) else {
        return index.others.append(entry)
      }
      index.equal[digest, default: []].append(entry)
    }
  }

  /// Returns the differences, with secrets masked; empty if the recording does not compare bodies.
  func mismatches(of request: RequestReading, from entry: Int, in table: RecordingTable, changing: BodyPlaces)
    -> [Mismatch]
  {
    switch facts(of: entry, in: table) {
    case .unsaid: return []
    case .unreadable(let reason): return [Mismatch(part: "body", sent: nil, recorded: "unreadable: \(reason)")]
    case .none:
      return NormalBody([], contentType: nil).differences(from: request.body(JSONTolerance())).map(Mismatch.init)
    case .unknown:
      let sent = NormalBody([], contentType: nil).differences(from: request.body(JSONTolerance())).first
      return [
        Mismatch(part: "body", sent: sent.flatMap { Mismatch($0).sent }, wanted: "the recorded body, which is unknown")
      ]
    case .plain, .placewise: break
    }
    guard let recorded = body(of: entry, in: table) else { return [] }
    let tolerance = table.rules(of: entry)?.tolerance ?? JSONTolerance()
    let found = recorded.differences(from: request.body(tolerance), changing: changing)
    // If there are many, the decisive differences come first.
    let told = found.count > 8 ? found.filter { !$0.isGenerated } + found.filter(\.isGenerated) : found
    return told.prefix(8).map(Mismatch.init)
  }

  /// Returns true if the body of a request may differ from a recorded body that is unknown.
  ///
  /// A recorded request with a type had a body.
  private func isAnyBodySent(_ request: RequestReading, _ recorded: Interaction) -> Bool {
    !request.request.body.isEmpty || recorded.requestHeaders.contains("Content-Type")
  }

  /// Returns the places at which otherwise equal bodies have a different value in each recording of a target.
  ///
  /// The answers must be equal, too: a value that changes the answer is significant.
  func changing(among entries: [Int], in table: RecordingTable) -> BodyPlaces {
    guard entries.count > 1, entries.count <= Self.mostCompared else { return BodyPlaces() }
    if let known = kept.withLock({ $0.changing[entries] }) { return known }
    var found = BodyPlaces()
    if Self.haveEqualAnswers(entries, in: table) {
      let bodies = entries.compactMap { body(of: $0, in: table) }
      if bodies.count == entries.count { found = NormalBody.changing(among: bodies) }
    }
    kept.withLock { kept in
      // Limits the cache, because rules may form other groups of recordings for each request.
      if kept.changing.count >= 1_000 { kept.changing = [:] }
      kept.changing[entries] = found
    }
    return found
  }

  private static func haveEqualAnswers(_ entries: [Int], in table: RecordingTable) -> Bool {
    var answers: Set<BodyDigest> = []
    let first = entries.first.flatMap { table.entries[$0].interaction.status }
    for entry in entries {
      let interaction = table.entries[entry].interaction
      guard let status = interaction.status, (200..<300).contains(status), status == first else { return false }
      let body = interaction.responseBody
      if case .file? = body?.form { return false }
      guard let bytes = body == nil ? [] : try? body?.bytes() else { return false }
      answers.insert(NormalBody(bytes, contentType: nil).skeleton)
      if answers.count > 1 { return false }
    }
    return true
  }

  private func facts(of entry: Int, in table: RecordingTable) -> Facts {
    if let known = kept.withLock({ $0.facts[entry] }) { return known }
    let facts = makeFacts(of: entry, in: table)
    kept.withLock { $0.facts[entry] = facts }
    return facts
  }

  private func makeFacts(of entry: Int, in table: RecordingTable) -> Facts {
    let interaction = table.entries[entry].interaction
    guard let body = interaction.requestBody else {
      return interaction.lacksRequestBody ? .none : interaction.hasUnknownRequestBody ? .unknown : .unsaid
    }
    let bytes: [UInt8]
    do throws(CassetteError) {
      bytes = try body.bytes()
    } catch {
      return .unreadable(error.message)
    }
    let normal = Self.normal(bytes, of: entry, in: table)
    let tolerance = table.rules(of: entry)?.tolerance ?? JSONTolerance()
    noteIgnored(in: normal, tolerance)
    guard normal.hasPlaceholders || tolerance.allowsExtra || tolerance.allowsAnyOrder else {
      return .plain(normal.kind, normal.digest, skeleton: normal.skeleton)
    }
    kept.withLock { kept in
      guard kept.size + bytes.count <= Self.limit else { return }
      kept.size += bytes.count
      kept.bodies[entry] = normal
    }
    let given = table.standIns(of: entry)?.rendered(bytes).map { Self.normal($0, of: entry, in: table).digest }
    return .placewise(given ?? normal.digest)
  }

  private func body(of entry: Int, in table: RecordingTable) -> NormalBody? {
    if let known = kept.withLock({ $0.bodies[entry] }) { return known }
    let interaction = table.entries[entry].interaction
    guard let body = interaction.requestBody, let bytes = try? body.bytes() else { return nil }
    return Self.normal(bytes, of: entry, in: table)
  }

  private static func normal(_ bytes: [UInt8], of entry: Int, in table: RecordingTable) -> NormalBody {
    NormalBody(
      bytes, contentType: table.entries[entry].interaction.requestHeaders["Content-Type"],
      tolerance: table.rules(of: entry)?.tolerance ?? JSONTolerance())
  }
}
