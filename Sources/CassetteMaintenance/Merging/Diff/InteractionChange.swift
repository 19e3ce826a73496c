internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSecrets
internal import Cassettes

/// Describes the differences between two versions of an interaction.
enum InteractionChange {
  /// Returns descriptions such as `response.status: 200 → 404`; empty if only times differ.
  static func words(from old: CassetteText.Entry, to new: CassetteText.Entry) -> [String] {
    var words: [String] = []
    words += fields("request", old.interaction.requestHeaders, new.interaction.requestHeaders)
    words += fields("response", old.interaction.response?.headers ?? [], new.interaction.response?.headers ?? [])
    for difference in JSONDifference.between(old.tokens, new.tokens) {
      let path = difference.path
      let passed = ["$.request.headers", "$.response.headers", "$.recorded"]
      if passed.contains(where: { path == $0 || path.hasPrefix($0 + "[") || path.hasPrefix($0 + ".") }) { continue }
      words.append("\(place(path)): \(value(difference.sent, at: path)) → \(value(difference.recorded, at: path))")
    }
    return words
  }

  /// Returns a readable path: `$.response.body.json.login` becomes `response body $.login`.
  private static func place(_ path: String) -> String {
    for side in ["request", "response"] {
      let prefix = "$.\(side).body.json"
      if path.hasPrefix(prefix) { return "\(side) body $\(path.dropFirst(prefix.count))" }
    }
    return path.hasPrefix("$.") ? String(path.dropFirst(2)) : path
  }

  /// Returns a value for display, masked if its name or shape indicates a secret.
  private static func value(_ text: String?, at path: String) -> String {
    guard let text else { return "nothing" }
    let name = path.split { ".[]\"'".contains($0) }.last { $0.contains { !$0.isNumber } } ?? ""
    let member = "{\"\(name)\": "
    return String(SecretNames.masked(body: "\(member)\(text)}", contentType: nil).dropFirst(member.count).dropLast())
  }

  /// Returns descriptions of header fields that differ, sorted by name.
  private static func fields(_ side: String, _ old: HTTPHeaders, _ new: HTTPHeaders) -> [String] {
    func values(_ headers: HTTPHeaders) -> [String: (name: String, value: String)] {
      headers.reduce(into: [:]) { values, field in
        let key = field.name.lowercased()
        let shown = SecretNames.masked(field: field.name, value: field.value)
        values[key] = (field.name, values[key].map { "\($0.value), \(shown)" } ?? shown)
      }
    }
    let (before, after) = (values(old), values(new))
    return Set(before.keys).union(after.keys).sorted().compactMap { key in
      let (one, other) = (before[key], after[key])
      guard one?.value != other?.value else { return nil }
      let name = other?.name ?? one?.name ?? key
      return "\(side) \(name): \(one?.value ?? "nothing") → \(other?.value ?? "nothing")"
    }
  }
}
