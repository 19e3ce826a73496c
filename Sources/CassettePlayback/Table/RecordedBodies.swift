internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// The result of comparing a sent body with a recorded one.
enum BodyRelation: Sendable {
  /// The recording does not compare bodies.
  case unsaid
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
    case .generated: 1
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
  }

  private let kept = Locked(Kept())

  /// Compares a request's body with the body of a recording.
  func relation(of request: RequestReading, to entry: Int, in table: RecordingTable, changing: BodyPlaces)
    -> BodyRelation
  {
    let tolerance = table.rules(of: entry)?.tolerance ?? JSONTolerance()
    switch facts(of: entry, in: table) {
    case .unsaid: return .unsaid
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

  /// Returns the differences, with secrets masked; empty if the recording does not compare bodies.
  func mismatches(of request: RequestReading, from entry: Int, in table: RecordingTable, changing: BodyPlaces)
    -> [Mismatch]
  {
    switch facts(of: entry, in: table) {
    case .unsaid: return []
    case .unreadable(let reason): return [Mismatch(part: "body", sent: nil, recorded: "unreadable: \(reason)")]
    case .plain, .placewise: break
    }
    guard let recorded = body(of: entry, in: table) else { return [] }
    let tolerance = table.rules(of: entry)?.tolerance ?? JSONTolerance()
    let found = recorded.differences(from: request.body(tolerance), changing: changing)
    // If there are many, the decisive differences come first.
    let told = found.count > 8 ? found.filter { !$0.isGenerated } + found.filter(\.isGenerated) : found
    return told.prefix(8).map(Mismatch.init)
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
    guard let body = table.entries[entry].interaction.requestBody else { return .unsaid }
    let bytes: [UInt8]
    do throws(CassetteError) {
      bytes = try body.bytes()
    } catch {
      return .unreadable(error.message)
    }
    let normal = Self.normal(bytes, of: entry, in: table)
    let tolerance = table.rules(of: entry)?.tolerance ?? JSONTolerance()
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
