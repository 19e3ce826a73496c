internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// The fields and secrets in which recordings of one request differ, each computed on the first such request.
final class RecordedFields: Sendable {
  private struct Facts: Sendable {
    /// The values of each field that differs, by name in lower case; nil if a recording does not have the field.
    var differing: [String: Set<String?>] = [:]
    /// True if requests that differ only in their secrets were both accepted and refused.
    var hasRefusals = false
  }

  private let kept = Locked<[[Int]: Facts]>([:])

  /// Marks recordings that differ from each other in a field or a secret, if the request has another value.
  func compare(_ candidates: inout [Matcher.Candidate], with request: HTTPRequest, in table: RecordingTable) {
    let entries = candidates.filter(\.isDecided).map(\.entry).filter { entry in
      table.entries[entry].level != .loose && !table.entries[entry].interaction.requestHeaders.isEmpty
    }
    guard entries.count > 1 else { return }
    let facts = kept.withLock { $0[entries] } ?? Self.facts(of: entries, in: table)
    kept.withLock { kept in
      // Limits the cache, because rules may form other groups of recordings for each request.
      if kept.count >= 1_000 { kept = [:] }
      kept[entries] = facts
    }
    let unknown = facts.differing.filter { !Self.isKnown(request.joined($0), named: $0, among: $1) }.keys.sorted()
    let given = facts.hasRefusals ? Set(entries.filter { Self.isGiven($0, request, table) }) : []
    for index in candidates.indices where entries.contains(candidates[index].entry) {
      if !unknown.isEmpty, table.entries[candidates[index].entry].level == .careful {
        candidates[index].marks.insert(.fields)
        candidates[index].unknownFields = unknown
      }
      guard facts.hasRefusals, candidates[index].preference.body < 3 else { continue }
      if given.contains(candidates[index].entry) {
        candidates[index].preference.fields += 1
      } else if given.isEmpty {
        candidates[index].marks.insert(.credentials)
      }
    }
  }

  private static func facts(of entries: [Int], in table: RecordingTable) -> Facts {
    var facts = Facts()
    let recorded = entries.map { table.entries[$0].interaction }
    let names = Set(recorded.flatMap { $0.requestHeaders.map { $0.name.lowercased() } }).filter { name in
      !FieldComparison.isCircumstance(name)
        && !entries.contains { table.rules(of: $0)?.headers.entries.contains { $0.name.lowercased() == name } ?? false }
    }
    for name in names {
      let values = Set(recorded.map { $0.requestHeaders.joined(name) })
      if values.count > 1 { facts.differing[name] = values }
    }
    // The order in which secrets are numbered has no meaning; their number in a request does.
    let secrets = Dictionary(grouping: recorded) { isRefused($0) }.mapValues { Set($0.map(aliases)) }
    if let refused = secrets[true], let accepted = secrets[false] {
      facts.hasRefusals = refused.contains { one in accepted.contains { $0 != one && $0.count == one.count } }
    }
    return facts
  }

  private static func isRefused(_ interaction: Interaction) -> Bool { interaction.status.map { $0 >= 400 } ?? false }

  /// Returns the numbers of the secrets in the credentials and the body of a recorded request.
  private static func aliases(_ interaction: Interaction) -> [Int] {
    var numbers: [Int] = []
    let fields = interaction.requestHeaders.filter { CredentialField.isNamed($0.name) || $0.isNamed("Cookie") }
    for bytes in fields.map({ Array($0.value.utf8) }) + [(try? interaction.requestBody?.bytes()) ?? []] {
      SecretAlias.each(in: bytes) { numbers.append($0.number) }
    }
    return numbers
  }

  /// Returns true if the request has the stand-ins that the client received in place of the recorded credentials.
  private static func isGiven(_ entry: Int, _ request: HTTPRequest, _ table: RecordingTable) -> Bool {
    let aliases = table.entries[entry].interaction.requestHeaders.filter { SecretPlaceholders.isIn($0.value) }
    return !aliases.isEmpty
      && aliases.allSatisfy { field in
        let given = table.standIns(of: entry)?.rendered(field.value)
        return request.headers.values(of: field.name).contains { $0 == given }
      }
  }

  private static func isKnown(_ sent: String?, named name: String, among values: Set<String?>) -> Bool {
    if values.contains(sent) { return true }
    guard let sent else { return false }
    return values.contains { $0.map { FieldComparison.mayEqual(sent, $0, named: name) } ?? false }
  }
}

extension HTTPRequest {
  fileprivate func joined(_ name: String) -> String? { headers.joined(name) }
}

extension HTTPHeaders {
  /// Returns the values of a field as one value; nil if the field is missing.
  fileprivate func joined(_ name: String) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }
}
