internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSecrets
internal import Cassettes

/// Checking a body against a rule, and describing the differences.
extension BodyRule {
  /// Returns true if a body meets the rule; false if the comparison exceeds the budget.
  func isMet(by reading: RequestReading) -> Bool {
    switch self {
    case .text(let condition): return condition.isMet(by: Self.texts(of: reading, for: condition), &reading.budget)
    case .base64(let bytes): return reading.request.body == bytes
    case .json(let value, let ignored, let extra, let order):
      guard let json = reading.json else { return false }
      let tolerance = JSONTolerance(ignored: ignored, allowsExtra: extra, allowsAnyOrder: order)
      let isEqual = Self.differences(json, value, tolerance, limit: 1, reading).isEmpty
      guard reading.isOverBudget else { return isEqual }
      reading.budget.leaveUndecided()
      return false
    case .values(let conditions):
      return conditions.allSatisfy { $0.condition.isMet(by: reading.values(at: $0.place), &reading.budget) }
    case .form(let conditions):
      return conditions.entries.allSatisfy { $0.condition.isMet(by: reading.field($0.name), &reading.budget) }
    case .schema(let schema):
      return reading.json.flatMap { schema.compiled.violations(by: $0, limit: 1, &reading.budget) }?.isEmpty ?? false
    case .parts(let rules): return rules.allSatisfy { $0.isMet(by: reading) }
    case .graphQL(let rule): return rule.isMet(by: reading)
    case .jsonRPC(let rule): return rule.isMet(by: reading)
    case .and(let rules): return rules.allSatisfy { $0.isMet(by: reading) }
    case .or(let rules): return rules.contains { $0.isMet(by: reading) }
    case .not(let rule):
      let before = reading.budget.undecided
      // The negation of an undecided rule is also undecided.
      return !rule.isMet(by: reading) && reading.budget.undecided == before
    }
  }

  /// Returns the reasons why a body does not meet the rule.
  func mismatches(of reading: RequestReading) -> [Mismatch] {
    if isMet(by: reading) { return [] }
    let count = reading.request.body.count
    switch self {
    case .text(let condition):
      let values = Self.texts(of: reading, for: condition)
      let sent = SecretNames.masked(body: String(values.first?.string.prefix(200) ?? ""), contentType: nil)
      return [
        Mismatch(
          part: "body", sent: values.isEmpty ? nil : sent,
          wanted: SecretNames.masked(body: condition.words, contentType: nil))
      ]
    case .base64(let bytes):
      return [Mismatch(part: "body", sent: "\(count) bytes", wanted: "\(bytes.count) other bytes")]
    case .json(let value, let ignored, let extra, let order):
      guard let json = reading.json else {
        return [Mismatch(part: "body", sent: "\(count) bytes that are not JSON", wanted: "JSON")]
      }
      let tolerance = JSONTolerance(ignored: ignored, allowsExtra: extra, allowsAnyOrder: order)
      let differences = Self.differences(json, value, tolerance, limit: 8, reading)
      guard !differences.isEmpty else {
        return [Mismatch(part: "body", sent: "\(count) bytes", wanted: "JSON that can be compared within the limit")]
      }
      return differences.map { difference in
        let (sent, recorded) = (difference.sent, difference.recorded)
        let shown = Mismatch(
          BodyDifference(place: difference.path, sent: sent, recorded: recorded, isGenerated: false))
        return Mismatch(part: shown.part, sent: shown.sent, wanted: shown.recorded ?? "none")
      }
    case .values(let conditions):
      return conditions.compactMap { entry in
        let name = entry.place.description
        return Self.mismatch("body.\(name)", reading.values(at: entry.place), .init(name, entry.condition), reading)
      }
    case .form(let conditions):
      return conditions.entries.compactMap { entry in
        Self.mismatch("form.\(entry.name)", reading.field(entry.name), entry, reading)
      }
    case .schema(let schema): return schema.mismatches(of: reading)
    case .parts(let rules): return rules.flatMap { $0.mismatches(of: reading) }
    case .graphQL(let rule): return rule.mismatches(of: reading)
    case .jsonRPC(let rule): return rule.mismatches(of: reading)
    case .and(let rules): return rules.flatMap { $0.mismatches(of: reading) }
    case .or(let rules): return rules.first?.mismatches(of: reading) ?? []
    case .not:
      return [Mismatch(part: "body", sent: "\(count) bytes", wanted: "a body that the rule in \"not\" does not match")]
    }
  }

  /// Returns the body for a condition; a condition on presence treats an empty body as absent.
  private static func texts(of reading: RequestReading, for condition: Condition) -> [ConditionText] {
    let asksPresence = condition == .all([.absent(true)]) || condition == .all([.absent(false)])
    return asksPresence && reading.request.body.isEmpty ? [] : [reading.text]
  }

  private static func differences(
    _ json: JSONTree, _ wanted: [UInt8], _ tolerance: JSONTolerance, limit: Int, _ reading: RequestReading
  ) -> [JSONDifference] {
    JSONDifference.between(
      json, wanted, allowing: tolerance, limit: limit, steps: &reading.budget.left, forgiving: isSecret)
  }

  /// Returns true if two values differ only in a redacted secret.
  private static func isSecret(_ difference: JSONDifference) -> Bool {
    guard let recorded = difference.recorded, let sent = difference.sent else { return false }
    if SecretPlaceholders.matches(sent, placeholderIn: recorded) { return true }
    // A long value is truncated, so that the text after the secret cannot be compared.
    return sent.hasSuffix("…") && SecretPlaceholders.matches(sent.dropLast() + "\"", placeholderIn: recorded)
  }

  static func mismatch(
    _ part: String, _ values: [ConditionText], _ entry: NamedConditions.Entry, _ reading: RequestReading
  ) -> Mismatch? {
    if entry.condition.isMet(by: values, &reading.budget) { return nil }
    let hides = entry.name.split { $0 == "." || $0 == "[" }.contains { SecretNames.isParameter($0) }
    let sent = values.map(\.string).joined(separator: ", ").prefix(200)
    return Mismatch(
      part: part, sent: values.isEmpty ? nil : hides ? SecretNames.mask : "\"\(sent)\"",
      wanted: hides ? SecretNames.mask : entry.condition.words)
  }
}
