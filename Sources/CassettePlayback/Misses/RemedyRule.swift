internal import CassetteJSON
package import CassetteMatching
internal import CassetteSystem
package import Cassettes

/// The rules that would let the nearest recording answer a request that missed.
package enum RemedyRule {
  /// The `match` that leaves out what is new at each call; nil where something else differs, too.
  static func ignoring(_ near: Remedy.Near) -> String? {
    let mismatches = near.shown.mismatches
    guard !near.entry.isFixture, !near.entry.isStub, !mismatches.isEmpty,
      mismatches.allSatisfy({ isNewAtEachCall($0) })
    else { return nil }
    guard let rules = leavingOut(mismatches) else { return nil }
    let rule = RuleNotation.text(of: rules)
    var line: [UInt8] = []
    JSONStyle.spaced.render(rule.span, into: &line)
    let text = String(decoding: line, as: UTF8.self)
    return "leave out what is new at each call: set \"match\": \(text) on \"\(near.shown.id)\" at \(near.shown.place)"
  }

  /// The rules that leave differences out, whatever the values; nil where one of them cannot be left out alone.
  package static func leavingOut(_ mismatches: [Mismatch]) -> MatchRules? {
    var rules = MatchRules()
    for mismatch in mismatches {
      guard mismatch.wanted == nil else { return nil }
      if mismatch.part.hasPrefix("body.$"), let place = try? JSONQuery(String(mismatch.part.dropFirst(5))) {
        rules.tolerance.ignored.append(place)
      } else if mismatch.part == "body" {
        rules.ignoresBody = true
      } else if mismatch.part.hasPrefix("query.") {
        rules.query.entries.append(.init(String(mismatch.part.dropFirst(6)), .ignore))
      } else if mismatch.part == "path", let template = template(mismatch) {
        rules.path = MatchRules.path(template)
      } else if mismatch.part == "origin" {
        rules.ignoresOrigin = true
      } else {
        return nil
      }
    }
    return rules
  }

  /// Tells whether the value that was sent, and the recorded one, look as if they were made for one call.
  static func isNewAtEachCall(_ mismatch: Mismatch) -> Bool {
    if mismatch.isGenerated { return true }
    guard let sent = mismatch.sent, let recorded = mismatch.recorded else { return false }
    if mismatch.part.hasPrefix("query.") { return isGenerated(sent) && isGenerated(recorded) }
    return mismatch.part == "path" && template(mismatch, where: isGenerated) != nil
  }

  private static func isGenerated(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    return GeneratedValue.isRandom(bytes) || GeneratedValue.seconds(bytes) != nil
  }

  /// The path with names in place of the segments that differ; nil where some may not, or their number is another.
  private static func template(
    _ mismatch: Mismatch, where mayDiffer: (Substring) -> Bool = { _ in true }
  ) -> String? {
    guard let sent = mismatch.sent?.split(separator: "/", omittingEmptySubsequences: false),
      let recorded = mismatch.recorded?.split(separator: "/", omittingEmptySubsequences: false),
      sent.count == recorded.count
    else { return nil }
    var segments: [Substring] = []
    var names = 0
    for (now, then) in zip(sent, recorded) {
      if now == then {
        segments.append(now)
        continue
      }
      guard mayDiffer(now), mayDiffer(then) else { return nil }
      names += 1
      segments.append(names == 1 ? "{id}" : "{id\(names)}")
    }
    return names == 0 ? nil : segments.joined(separator: "/")
  }

  /// Returns a remedy where only a rule of the nearest recording keeps it from answering.
  static func change(_ near: Remedy.Near) -> String? {
    let mismatches = near.shown.mismatches
    guard !mismatches.isEmpty, mismatches.allSatisfy({ $0.wanted != nil }) else { return nil }
    let states = mismatches.filter { $0.part.hasPrefix("state.") }
    guard states.count == mismatches.count else {
      return "widen the \"match\" of \"\(near.shown.id)\" at \(near.shown.place)"
    }
    let wanted = states.map { "\"\($0.part.dropFirst(6))\" to \"\($0.wanted ?? "")\"" }.joined(separator: " and ")
    return "first send what brings \(wanted), or change the \"when\" of \"\(near.shown.id)\" at \(near.shown.place)"
  }
}
