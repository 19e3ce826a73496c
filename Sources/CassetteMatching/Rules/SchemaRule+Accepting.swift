internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSchemas

extension JSONSchema {
  /// Describes why a body does not meet the schema.
  func mismatches(of reading: RequestReading) -> [Mismatch] {
    guard let json = reading.json else {
      return [Mismatch(part: "body", sent: "\(reading.request.body.count) bytes that are no JSON", wanted: "JSON")]
    }
    guard let violations = violations(of: json, &reading.budget) else {
      return [Mismatch(part: "body", sent: nil, wanted: "JSON that is held to its schema sooner")]
    }
    return violations.map { violation in
      Mismatch(part: "body.\(violation.instance)", sent: "\(violation.words)", wanted: "schema \(violation.schema)")
    }
  }
}
