internal import CassetteHTTP
internal import CassettePatterns
internal import Cassettes

/// Checking the parts of a multipart body.
extension PartRule {
  func isMet(by reading: RequestReading) -> Bool {
    let parts = reading.parts
    guard !parts.isEmpty else { return false }
    func isMet(_ part: (part: MultipartBody.Part, reading: RequestReading)) -> Bool {
      // All rules for a request share its budget.
      part.reading.budget = reading.budget
      defer { reading.budget = part.reading.budget }
      return self.isMet(by: part.part, part.reading)
    }
    return isEvery ? parts.allSatisfy(isMet) : parts.contains(where: isMet)
  }

  private func isMet(by part: MultipartBody.Part, _ reading: RequestReading) -> Bool {
    let (name, filename) = ([part.name], [part.filename])
    return self.name?.isMet(by: name.compactMap { $0.map { ConditionText($0) } }, &reading.budget) ?? true
      && self.filename?.isMet(by: filename.compactMap { $0.map { ConditionText($0) } }, &reading.budget) ?? true
      && headers.entries.allSatisfy { $0.condition.isMet(by: reading.header($0.name), &reading.budget) }
      && body.allSatisfy { $0.isMet(by: reading) }
  }

  func mismatches(of reading: RequestReading) -> [Mismatch] {
    if isMet(by: reading) { return [] }
    let names = reading.parts.map { $0.part.name.map { "\"\($0)\"" } ?? "one without a name" }
    let wanted = (isEvery ? "each" : "one") + (name.map { " named \($0.words)" } ?? "") + " that matches the rule"
    return [
      Mismatch(part: "parts", sent: names.isEmpty ? nil : "parts \(names.joined(separator: ", "))", wanted: wanted)
    ]
  }
}
