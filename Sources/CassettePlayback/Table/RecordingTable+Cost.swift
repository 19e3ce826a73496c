package import CassetteHTTP
internal import CassetteMatching
internal import Cassettes

extension RecordingTable {
  /// The number of recordings that are compared in full, to name the nearest.
  static let shortlist = 24

  /// Returns the most steps to find an answer to a request, or to explain why there is none.
  ///
  /// A step is a few nanoseconds.
  ///
  /// A server asks before it takes the time on a thread that other clients wait for.
  ///
  /// - Parameters:
  ///   - request: The request; its content may still be coded.
  ///   - length: How long its content may be once it is decoded.
  /// - Returns: An estimate that is rather too high.
  package func matchingSteps(for request: HTTPRequest, bodyLength length: Int) -> Int {
    let target = request.pathAndQuery
    let group = index.group(method: request.method.rawValue, target: target)
    var cost = RuleCost()
    for entry in group.map({ index.members(of: $0) }) ?? [] {
      if let rules = rules(of: entry) { cost.add(rules) }
      // More need not be known: it is too much in any case.
      if cost.steps(target: target.utf8.count, body: length) > Self.enough { break }
    }
    var steps = cost.steps(target: target.utf8.count, body: length)
    steps += ruleIndex.steps(target: target, bodyLength: length)
    if length > 0 {
      // Recorded bodies are compared with it, and with those of the nearest recordings if none is equal.
      let compared = (group.map { index.members(of: $0).count } ?? 0) + min(Self.shortlist, entries.count)
      steps += compared * RuleCost.parsing * min(length, .max >> 24)
    }
    // A miss looks at every recording, to name the nearest.
    if length > 0 || group == nil { steps += entries.count * Self.stepsOfLikeness }
    return steps
  }

  private static let stepsOfLikeness = 40
  private static let enough = 1 << 24
}
