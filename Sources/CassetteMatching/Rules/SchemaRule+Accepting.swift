internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePatterns
internal import Cassettes

extension BodySchema {
  /// Returns the reasons why a body does not meet the schema.
  func mismatches(of reading: RequestReading) -> [Mismatch] {
    guard let json = reading.json else {
      return [Mismatch(part: "body", sent: "\(reading.request.body.count) bytes that are not JSON", wanted: "JSON")]
    }
    guard let violations = compiled.violations(by: json, limit: 8, &reading.budget) else {
      return [Mismatch(part: "body", sent: nil, wanted: "JSON that can be checked within the limit")]
    }
    return violations.map { violation in
      Mismatch(part: "body.\(violation.place)", sent: violation.words, wanted: "schema \(violation.keyword)")
    }
  }
}
