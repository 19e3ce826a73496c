internal import CassetteHTTP

/// Credentials that were sent and are not recorded, and those of them that the journal does not know yet.
struct HeardCredentials: Sendable {
  private var seen: Set<String> = []
  private var new: [HTTPHeaders.Field] = []

  mutating func add(_ field: HTTPHeaders.Field) {
    // A bound on memory: what is forgotten is learned again.
    if seen.count >= 1_000 { seen = [] }
    if seen.insert(field.value).inserted { new.append(field) }
  }

  /// Takes out what the journal does not know.
  mutating func takeNew() -> [HTTPHeaders.Field] {
    defer { new = [] }
    return new
  }
}
