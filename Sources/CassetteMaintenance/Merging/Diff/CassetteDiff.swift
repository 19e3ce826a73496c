internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

/// The differences between two versions of a cassette: added, removed and changed interactions.
package struct CassetteDiff: Sendable {
  /// An interaction that was added, removed or changed.
  package struct Change: Hashable, Sendable {
    package enum Kind: String, Sendable {
      case new, gone, changed
    }

    var kind: Kind
    var id: String
    /// The method and path with secrets masked: `GET /users/kean`.
    var request: String
    /// The status, or the name of a failure.
    var outcome: String
    /// Descriptions of the differences in a changed interaction.
    var differences: [String] = []
  }

  private(set) var changes: [Change] = []
  /// Descriptions of the differences in other members of the cassette.
  private(set) var members: [String] = []

  /// True if only layout and times differ.
  package var isEmpty: Bool { changes.isEmpty && members.isEmpty }

  /// Compares two versions of a cassette.
  ///
  /// - `old`: The old version; empty if there is no file.
  /// - `new`: The new version; empty if there is no file.
  /// - `names`: The names of the versions for messages. Body files are read if the names are paths.
  /// - `times`: True to compare recorded times and the pauses of streams. Default: false.
  package init(
    from old: [UInt8], to new: [UInt8], names: (old: String, new: String), times: Bool = false
  ) throws(CassetteError) {
    let before = old.isEmpty ? CassetteText() : try CassetteText(old, name: names.old, file: names.old)
    let after = new.isEmpty ? CassetteText() : try CassetteText(new, name: names.new, file: names.new)
    for item in before.members.items + after.members.items {
      let name = String(decoding: item.name, as: UTF8.self)
      let (one, other) = (before.members.member(name), after.members.member(name))
      guard name != "interactions", name != "cassette", one?.tokens != other?.tokens else { continue }
      let words = "\(name): \(Self.text(one)) → \(Self.text(other))"
      if !members.contains(words) { members.append(words) }
    }
    let pairs = InteractionPairs.pair(before.entries, after.entries)
    let kept = Set(pairs.compactMap(\.self))
    for (index, entry) in before.entries.enumerated() where !kept.contains(index) {
      changes.append(Self.change(.gone, entry))
    }
    // The order of recordings of the same request is significant, because the first one is played first.
    var last: [[UInt8]: Int] = [:]
    for (index, partner) in pairs.enumerated() {
      let entry = after.entries[index]
      guard let partner else {
        changes.append(Self.change(.new, entry))
        continue
      }
      var differences = InteractionChange.words(from: before.entries[partner], to: entry, times: times)
      if let later = last[entry.request], partner < later {
        differences.append("order: now after \"\(before.entries[later].id)\"")
      }
      last[entry.request] = max(last[entry.request] ?? partner, partner)
      if !differences.isEmpty {
        var change = Self.change(.changed, entry)
        change.differences = differences
        changes.append(change)
      }
    }
  }

  private static func change(_ kind: Change.Kind, _ entry: CassetteText.Entry) -> Change {
    Change(
      kind: kind, id: entry.id, request: entry.interaction.shown, outcome: EntryWords.outcome(of: entry.interaction))
  }

  private static func text(_ item: JSONTextList.Item?) -> String {
    item.map { JSONDifference.excerpt($0.tokens[...]) } ?? "nothing"
  }

  /// Returns the number of changes of a kind.
  package func count(_ kind: Change.Kind) -> Int { changes.count { $0.kind == kind } }

  /// The changes as lines of text.
  package var text: String {
    var text = members.map { "~ \($0)\n" }.joined()
    for change in changes {
      let mark = ["new": "+", "gone": "-"][change.kind.rawValue] ?? "~"
      text += "\(mark) \(change.request)  \(change.outcome)  (\"\(change.id)\")\n"
      for difference in change.differences { text += "    \(difference)\n" }
    }
    return text
  }
}

/// Converts a cassette to lines for `git diff`, with a heading for each interaction and bodies split at line breaks.
package enum CassetteLines {
  /// Returns the lines of a cassette, without recorded times, which differ in each recording.
  package static func text(of bytes: [UInt8], name: String) throws(CassetteError) -> String {
    let cassette = try CassetteText(bytes, name: name)
    var lines: [String] = []
    for item in cassette.members.items where item.name != Array("interactions".utf8) {
      lines += "\(String(decoding: item.name, as: UTF8.self)): \(pretty(item.value))".components
    }
    for entry in cassette.entries {
      lines.append("")
      let outcome = EntryWords.outcome(of: entry.interaction)
      lines.append("# \(entry.interaction.shown) → \(outcome)  (\"\(entry.id)\")")
      for item in entry.members?.items ?? [] {
        let name = String(decoding: item.name, as: UTF8.self)
        if name == "id" || name == "recorded" { continue }
        lines += part(name, item)
      }
    }
    return lines.map { Printable.escaped($0) + "\n" }.joined()
  }

  private static func part(_ name: String, _ item: JSONTextList.Item) -> [String] {
    guard let parts = JSONTextList(item.value), let body = parts.member("body"),
      let text = JSONTextList(body.value)?.member("text")
    else { return "\(name): \(pretty(item.value))".components }
    var rest = parts
    rest.set("body", nil)
    let content = String(decoding: JSONTree.text(ofString: text.value), as: UTF8.self)
    return "\(name): \(pretty(rest.text[...]))".components + ["\(name) body:"] + content.components.map { "  \($0)" }
  }

  private static func pretty(_ value: ArraySlice<UInt8>) -> String {
    var output: [UInt8] = []
    let bytes = Array(value)
    JSONStyle.indent2.render(bytes.span, into: &output)
    return String(decoding: output, as: UTF8.self)
  }
}

extension String {
  fileprivate var components: [String] { split(omittingEmptySubsequences: false) { $0.isNewline }.map(String.init) }
}

/// Describes the differences between two versions of an interaction.
enum InteractionChange {
  /// Returns descriptions such as `response.status: 200 → 404`; empty if only times differ and `times` is false.
  static func words(from old: CassetteText.Entry, to new: CassetteText.Entry, times: Bool = false) -> [String] {
    var words: [String] = []
    words += fields("request", old.interaction.requestHeaders, new.interaction.requestHeaders)
    words += fields("response", old.interaction.response?.headers ?? [], new.interaction.response?.headers ?? [])
    var passed = ["$.request.headers", "$.response.headers"] + (times ? [] : ["$.recorded"])
    for (side, one, other) in [
      ("request", old.interaction.requestBody, new.interaction.requestBody),
      ("response", old.interaction.response?.body, new.interaction.response?.body),
    ] {
      guard let one, let other else { continue }
      switch (one.form, other.form) {
      case (.file, _), (_, .file):
        guard let before = try? one.bytes(), let after = try? other.bytes() else { continue }
        passed.append("$.\(side).body")
        guard before != after else { continue }
        let sizes = before.count == after.count ? "another content of the same size" : "\(after.count) bytes"
        words.append("\(side) body: \(before.count) bytes → \(sizes)")
      case (.chunks, .chunks) where !times:
        if let before = try? one.bytes(), before == (try? other.bytes()) { passed.append("$.\(side).body.chunks") }
      default: break
      }
    }
    for difference in JSONDifference.between(old.tokens, new.tokens) {
      let path = difference.path
      if passed.contains(where: { path == $0 || path.hasPrefix($0 + "[") || path.hasPrefix($0 + ".") }) { continue }
      if !times, isPause(path) { continue }
      words.append("\(place(path)): \(value(difference.sent, at: path)) → \(value(difference.recorded, at: path))")
    }
    return words
  }

  /// Returns true for the path of a pause in a stream, such as `$.response.body.chunks[3].after`.
  private static func isPause(_ path: String) -> Bool {
    let chunks = "$.response.body.chunks["
    return path.hasPrefix(chunks) && path.dropFirst(chunks.count).drop(while: \.isNumber) == "].after"
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
    func values(_ headers: HTTPHeaders) -> [String: (name: String, values: [String])] {
      headers.reduce(into: [:]) { values, field in
        let key = field.name.lowercased()
        values[key] = (field.name, (values[key]?.values ?? []) + [field.value])
      }
    }
    let (before, after) = (values(old), values(new))
    return Set(before.keys).union(after.keys).sorted().compactMap { key in
      let (one, other) = (before[key], after[key])
      guard one?.values != other?.values else { return nil }
      let name = other?.name ?? one?.name ?? key
      let shown = [one, other].map { side in
        side?.values.map { SecretNames.masked(field: name, value: $0) }.joined(separator: ", ") ?? "nothing"
      }
      return
        "\(side) \(name): \(shown[0] == shown[1] ? "another value, which is masked" : shown.joined(separator: " → "))"
    }
  }
}
