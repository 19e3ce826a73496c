internal import CassetteHTTP

/// The credentials that were received and not recorded, and those of them that the journal must still learn.
struct HeardCredentials: Sendable {
  private var seen: Set<String> = []
  private var new: [HTTPHeaders.Field] = []

  mutating func add(_ field: HTTPHeaders.Field) {
    // The set is limited to bound memory. Values removed from it are reported to the journal again.
    if seen.count >= 1_000 { seen = [] }
    if seen.insert(field.value).inserted { new.append(field) }
  }

  /// Returns the credentials that the journal does not know yet, and removes them.
  mutating func takeNew() -> [HTTPHeaders.Field] {
    defer { new = [] }
    return new
  }
}
