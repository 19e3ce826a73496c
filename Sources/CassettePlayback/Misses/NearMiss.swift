internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// Finds the recordings that nearly answer a request.
enum NearMiss {
  /// The maximum number of near misses to show.
  static let count = 3

  /// Returns the most similar entries, the most similar first.
  ///
  /// A quick pass scores all entries, then the best of them are compared in full.
  static func find(_ compared: RequestReading, in context: Matcher.Context) -> [Int] {
    let (request, table) = (compared.request, context.table)
    let target = Array(request.pathAndQuery.utf8)
    let method = Array(request.method.rawValue.utf8)
    var best: [(score: Int, entry: Int)] = []
    for (number, entry) in table.entries.enumerated() where !table.isResource(number) {
      let score = entry.interaction.withRequestLine { recordedMethod, url in
        RecordedTarget.withPathAndQuery(url) { path in
          likeness(target.span, path) * 2 + (recordedMethod.equals(method.span) ? 3 : 0)
        }
      }
      guard score > 3, best.count < RecordingTable.shortlist || score > best[best.count - 1].score else { continue }
      let position = best.firstIndex { $0.score < score } ?? best.count
      best.insert((score, number), at: position)
      if best.count > RecordingTable.shortlist { best.removeLast() }
    }
    let weighed = best.map { candidate -> (cost: Int, score: Int, entry: Int) in
      let mismatches = Matcher.mismatches(of: compared, from: candidate.entry, in: context)
      return (mismatches.reduce(0) { $0 + cost(of: $1) }, candidate.score, candidate.entry)
    }
    let ordered = weighed.sorted { ($0.cost, -$0.score, $0.entry) < ($1.cost, -$1.score, $1.entry) }
    return ordered.prefix(count).map(\.entry)
  }

  /// Returns true if the path is equal or similar, and of method, path and query at most two differ.
  static func isNear(_ mismatches: [Mismatch]) -> Bool {
    func differs(_ part: String) -> Bool { mismatches.contains { $0.part.prefix { $0 != "." } == part } }
    guard let path = mismatches.first(where: { $0.part == "path" || $0.part == "url" }) else { return true }
    guard !differs("method") || !differs("query") else { return false }
    guard path.wanted == nil, let sent = path.sent, let recorded = path.recorded else { return true }
    return zip(sent.split(separator: "/"), recorded.split(separator: "/")).contains { $0 == $1 }
      || nearness(sent, recorded) * 2 <= max(sent.utf8.count, recorded.utf8.count)
  }

  /// Returns the weight of a difference: a path weighs more than a parameter, a parameter more than a field.
  static func cost(of mismatch: Mismatch) -> Int {
    switch mismatch.part.prefix(5) {
    // The similarity of a path to a pattern cannot be measured.
    case "path" where mismatch.wanted != nil, "url": 8
    case "path": pathCost(mismatch.sent ?? "", mismatch.recorded ?? "")
    case "metho": 6
    case "query": 3
    case "origi": 5
    case "body", "body.": 2
    default: 1
    }
  }

  private static func pathCost(_ sent: String, _ recorded: String) -> Int {
    let (now, then) = (sent.split(separator: "/"), recorded.split(separator: "/"))
    let unequal = zip(now, then).count { $0 != $1 }
    return 4 + unequal * 4 + abs(now.count - then.count) * 5 + min(8, nearness(sent, recorded))
  }

  /// Returns the number of bytes between the common prefix and the common suffix of two paths.
  private static func nearness(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    let prefix = zip(first, second).prefix { $0 == $1 }.count
    let suffix = zip(first.dropFirst(prefix).reversed(), second.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
    return max(first.count, second.count) - prefix - suffix
  }

  /// Returns the length of the common prefix and suffix of two targets, in sixteenths of the longer target.
  private static func likeness(_ sent: Span<UInt8>, _ recorded: Span<UInt8>) -> Int {
    let shorter = min(sent.count, recorded.count)
    let longer = max(sent.count, recorded.count)
    var prefix = 0
    while prefix < shorter, sent[prefix] == recorded[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix, sent[sent.count - 1 - suffix] == recorded[recorded.count - 1 - suffix] {
      suffix += 1
    }
    return longer == 0 ? 0 : (prefix + suffix) * 16 / longer
  }
}

extension RecordingTable {
  /// The maximum number of recordings that are compared in full to find the nearest.
  package static let shortlist = 24
}
