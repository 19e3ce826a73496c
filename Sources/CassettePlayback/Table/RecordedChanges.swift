internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
internal import Cassettes

/// Cause and effect between recordings: the change that preceded the recording of an answer.
///
/// A change is a successful `POST`, `PUT`, `PATCH` or `DELETE` to the answer's path, its parent or its child, in the
/// same cassette, from the same origin and by the same test. The changes are found when a request first has several
/// answers; a table without changes has no cost.
final class RecordedChanges: Sendable {
  /// The change that preceded the recording of an answer, if other recordings answer the same request.
  enum Cause: Hashable, Sendable {
    /// No change preceded the answer.
    case start
    /// The number of the last recorded change that preceded the answer.
    case change(Int)
    /// The recording's rules disable the order by changes.
    case unheeded
  }

  /// The location of a change, or of its effects.
  private struct Place: Hashable {
    let cassette: String
    let origin: String?
    let test: String?
    let path: String

    var above: Place? {
      RecordedChanges.path(above: path).map { Place(cassette: cassette, origin: origin, test: test, path: $0) }
    }
  }

  private struct Known {
    /// The changes of a path, and those of its child paths, in recorded order.
    var at: [Place: [Int]] = [:]
    var below: [Place: [Int]] = [:]
    /// Without this cache, forty answers between as many changes cost a request 112 µs of processor time; with it, 58
    /// µs.
    var causes: [[Int]: [Cause]] = [:]
  }

  private let known = Locked<Known?>(nil)

  /// Returns the cause of each answer, for recordings that answer the same request.
  ///
  /// - `twins`: The numbers of the recordings, in recorded order; none of them is a cause of another.
  func causes(of twins: [Int], in table: RecordingTable) -> [Cause] {
    guard twins.count > 1 else { return [] }
    return known.withLock { known in
      if known == nil { known = Self.changes(in: table) }
      guard let changes = known, !changes.at.isEmpty else { return [] }
      if let causes = changes.causes[twins] { return causes }
      let found = Self.causes(of: twins, among: changes, in: table)
      let causes = Set(found).count > 1 ? found : []
      // Limits the cache, because rules may form other groups of recordings for each request.
      if changes.causes.count >= 1_000 { known?.causes = [:] }
      known?.causes[twins] = causes
      return causes
    }
  }

  /// Returns the change that each answer depends on, by number, for recordings of equal requests with equal bodies.
  func causes(in table: RecordingTable) -> [Int: Int] {
    var found: [Int: Int] = [:]
    for (group, facts) in table.index.groups.enumerated() where facts.count > 1 {
      let twins = Dictionary(grouping: table.index.members(of: group)) { entry in
        try? table.entries[entry].interaction.requestBody?.bytes()
      }
      for twins in twins.values {
        for (twin, cause) in zip(twins, causes(of: twins, in: table)) {
          if case .change(let change) = cause { found[twin] = change }
        }
      }
    }
    return found
  }

  private static func changes(in table: RecordingTable) -> Known {
    var known = Known()
    for (number, entry) in table.entries.enumerated() where isChange(entry) && hasPlace(number, in: table) {
      let place = place(of: entry)
      known.at[place, default: []].append(number)
      if let above = place.above { known.below[above, default: []].append(number) }
    }
    return known
  }

  /// Returns true if an entry has a place in the recorded order: not with rules, with a state, or if written in code.
  private static func hasPlace(_ number: Int, in table: RecordingTable) -> Bool {
    table.rules(of: number)?.concernsTarget != true && table.replay(of: number)?.when.isEmpty != false
      && !table.entries[number].isStub
  }

  private static func causes(of twins: [Int], among changes: Known, in table: RecordingTable) -> [Cause] {
    let own = Set(twins)
    var relevant: [Place: [[Int]]] = [:]
    return twins.map { twin in
      if table.replay(of: twin)?.order == .count { return .unheeded }
      guard hasPlace(twin, in: table), !table.entries[twin].isFixture else { return .start }
      let place = place(of: table.entries[twin])
      let lists =
        relevant[place]
        ?? [
          changes.at[place] ?? [], changes.below[place] ?? [],
          (place.above.flatMap { changes.at[$0] } ?? []).filter { concerns(place, table.entries[$0]) },
        ].map { $0.filter { !own.contains($0) } }
      relevant[place] = lists
      return lists.compactMap { last(in: $0, before: twin) }.max().map { .change($0) } ?? .start
    }
  }

  private static func last(in sorted: [Int], before number: Int) -> Int? {
    let next = sorted.partitioningIndex { $0 >= number }
    return next > 0 ? sorted[next - 1] : nil
  }

  /// Returns true if a change of the parent path may affect a path: a `POST` that created another element does not.
  private static func concerns(_ place: Place, _ change: RecordingTable.Entry) -> Bool {
    guard change.interaction.method == .post, let name = CreatedName.of(change.interaction) else { return true }
    return place.path.hasSuffix("/\(name)")
  }

  private static func place(of entry: RecordingTable.Entry) -> Place {
    Place(
      cassette: entry.cassette, origin: entry.origin, test: entry.interaction.recorded?.by,
      path: path(of: entry.interaction.pathAndQuery))
  }

  /// Returns the path in its canonical spelling, without a trailing slash.
  static func path(of target: String) -> String {
    let path = CanonicalTarget.spelling(of: String(target.prefix { $0 != "?" }))
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// Returns the parent path; nil for the root.
  static func path(above path: String) -> String? {
    guard path.count > 1, let slash = path.lastIndex(of: "/") else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}

extension RecordedChanges {
  /// Returns true if method and status indicate that the recorded request changed something; a GraphQL query did not.
  private static func isChange(_ entry: RecordingTable.Entry) -> Bool {
    guard !entry.isFixture, isUnsafe(entry.interaction.method), let status = entry.interaction.status,
      status < 400
    else { return false }
    return entry.interaction.method != .post || !isGraphQLQuery(entry.interaction)
  }

  private static func isUnsafe(_ method: HTTPMethod) -> Bool {
    method == .post || method == .put || method == .patch || method == .delete
  }

  private static func isGraphQLQuery(_ interaction: Interaction) -> Bool {
    guard let bytes = try? interaction.requestBody?.bytes(), let text = JSONValue(bytes)?["query"]?.string else {
      return false
    }
    return text.contains("{") && !text.contains("mutation")
  }

  /// Returns the groups of changes that other answers depend on, so that playing them must update the session.
  ///
  /// - `index`: The recordings by method, path and query.
  static func awaited(in index: RequestIndex, besides more: Set<String>) -> Set<Int> {
    let groups = index.groups.enumerated().map { (number: $0, key: index.pathKey(of: $1), isLone: $1.count == 1) }
    let changes = groups.filter { group in
      group.isLone && ["POST ", "PUT ", "PATCH ", "DELETE "].contains { group.key.starts(with: $0.utf8) }
    }
    guard !changes.isEmpty else { return [] }
    func path(_ key: ArraySlice<UInt8>) -> String {
      Self.path(of: String(decoding: key.drop { $0 != UInt8(ascii: " ") }.dropFirst(), as: UTF8.self))
    }
    let several = more.union(groups.lazy.filter { !$0.isLone }.map { path($0.key) })
    guard !several.isEmpty else { return [] }
    let above = Set(several.compactMap { Self.path(above: $0) })
    return Set(
      changes.lazy.filter { change in
        let path = path(change.key)
        return several.contains(path) || above.contains(path)
          || Self.path(above: path).map { several.contains($0) } == true
      }.map(\.number))
  }
}
