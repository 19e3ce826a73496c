internal import CassetteHTTP
internal import CassetteJSON
package import CassetteMatching
internal import CassetteSystem
package import Cassettes

/// Finds rules that would let the nearest recording answer a request that missed.
package enum RemedyRule {
  /// Returns the `match` that ignores values which are new at each call; nil if there are other differences.
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
    return "ignore generated values: set \"match\": \(text) on \"\(near.shown.id)\" at \(near.shown.place)"
  }

  private static func literal(_ text: String) -> String {
    text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
      ? SwiftLiteral.quoted(text) : "\"\(text)\""
  }

  /// Returns the option of a test that lets the nearest recording answer; nil if no option covers all differences.
  static func option(for near: Remedy.Near) -> String? {
    let mismatches = near.shown.mismatches
    guard !near.entry.isFixture, !near.entry.isStub, !mismatches.isEmpty, mismatches.allSatisfy({ $0.wanted == nil })
    else { return nil }
    if mismatches.allSatisfy({ $0.part == "origin" }) { return ".anyHost" }
    let places = mismatches.map(\.part)
    if places.allSatisfy({ $0.hasPrefix("body.$") }) {
      return ".body(ignoring: \(places.map { literal(String($0.dropFirst(5))) }.joined(separator: ", ")))"
    }
    if places.allSatisfy({ $0.hasPrefix("query.") }) {
      return ".query(ignoring: \(places.map { literal(String($0.dropFirst(6))) }.joined(separator: ", ")))"
    }
    return nil
  }

  /// Returns a hint for a stub whose path has a segment `*` or `:name`, the syntax of other tools; nil for other stubs.
  static func foreignPattern(_ near: Remedy.Near, for request: HTTPRequest) -> String? {
    guard near.entry.isStub else { return nil }
    let path = near.entry.interaction.pathAndQuery.prefix { $0 != "?" }
    let wanted = path.split(separator: "/", omittingEmptySubsequences: false)
    let sent = request.pathAndQuery.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
    let isPlaceholder = { (segment: Substring) in segment == "*" || segment.hasPrefix(":") && segment.count > 1 }
    guard wanted.count == sent.count, wanted.contains(where: isPlaceholder),
      zip(wanted, sent).allSatisfy({ $0 == $1 || isPlaceholder($0) })
    else { return nil }
    var count = 0
    let segments = wanted.map { segment -> String in
      guard isPlaceholder(segment) else { return String(segment) }
      count += 1
      return segment == "*" ? (count == 1 ? "{id}" : "{id\(count)}") : "{\(segment.dropFirst())}"
    }
    return
      "write the path of the stub at \(near.shown.place) as \"\(segments.joined(separator: "/"))\", with names in braces"
  }

  /// Returns the rules that ignore the differences; nil if one of them cannot be ignored alone.
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

  /// Returns true if both the sent and the recorded value appear to be generated for each call.
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

  /// Returns the path with names in place of differing segments; nil if one must not differ, if the numbers of segments
  /// differ, or if every path of this length would match.
  private static func template(
    _ mismatch: Mismatch, where mayDiffer: (Substring) -> Bool = { _ in true }
  ) -> String? {
    guard let sent = mismatch.sent?.split(separator: "/", omittingEmptySubsequences: false),
      let recorded = mismatch.recorded?.split(separator: "/", omittingEmptySubsequences: false),
      sent.count == recorded.count
    else { return nil }
    var segments: [Substring] = []
    var names = 0
    var isSpecific = false
    for (now, then) in zip(sent, recorded) {
      if now == then {
        segments.append(now)
        isSpecific = isSpecific || !now.isEmpty
        continue
      }
      guard mayDiffer(now), mayDiffer(then) else { return nil }
      isSpecific = isSpecific || isGenerated(now) && isGenerated(then)
      names += 1
      segments.append(names == 1 ? "{id}" : "{id\(names)}")
    }
    return names > 0 && isSpecific ? segments.joined(separator: "/") : nil
  }

  /// Returns a remedy if only rules of the nearest recording prevent it from answering.
  static func change(_ near: Remedy.Near) -> String? {
    let mismatches = near.shown.mismatches
    guard !mismatches.isEmpty, mismatches.allSatisfy({ $0.wanted != nil }) else { return nil }
    let states = mismatches.filter { $0.part.hasPrefix("state.") }
    guard states.count == mismatches.count else {
      return "widen the \"match\" of \"\(near.shown.id)\" at \(near.shown.place)"
    }
    let wanted = states.map { "\"\($0.part.dropFirst(6))\" to \"\($0.wanted ?? "")\"" }.joined(separator: " and ")
    return
      "first send the request that sets \(wanted), or change the \"when\" of \"\(near.shown.id)\" at \(near.shown.place)"
  }
}
