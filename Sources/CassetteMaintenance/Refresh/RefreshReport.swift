internal import CassetteRecording
internal import Cassettes

/// The result of repeating a recorded request.
package struct RefreshedRecording: Sendable {
  /// The decision about the recording.
  package enum Outcome: Hashable, Sendable {
    /// The recording is unchanged, because the response is equivalent.
    case same
    /// The recording was replaced by the response.
    case taken
    /// The recording was kept although the response differs; the value is the reason.
    case kept(String)
    /// The recording was kept because there was no response; the value is the reason.
    case unanswered(String)
    /// The request was not sent; the value is the reason.
    case notAsked(String)
  }

  package var cassette: String
  package var line: Int
  package var id: String
  /// The method and URL, with secrets masked.
  package var request: String
  package var outcome: Outcome
  package var shape: [ShapeDifference] = []
  package var values: [RefreshedValue] = []
  package var noise: [String] = []

  package init(cassette: String, line: Int, id: String, request: String, outcome: Outcome) {
    (self.cassette, self.line, self.id, self.request, self.outcome) = (cassette, line, id, request, outcome)
  }

  /// True if a difference breaks clients that rely on the recording.
  package var isBroken: Bool { shape.contains(where: \.isError) }
}

/// A report of a refresh in Markdown, for a pull request: differences in shape, then in values, then noise.
package struct RefreshReport: Sendable {
  /// The maximum number of values that are shown for one recording.
  private static let most = 20

  package private(set) var recordings: [RefreshedRecording] = []

  package init() {}

  package mutating func append(_ recording: RefreshedRecording) { recordings.append(recording) }

  private func count(_ isOne: (RefreshedRecording.Outcome) -> Bool) -> Int { recordings.count { isOne($0.outcome) } }

  /// The number of requests without a response.
  package var unanswered: Int { count { if case .unanswered = $0 { true } else { false } } }

  /// The number of requests that were not sent.
  package var notAsked: Int { count { if case .notAsked = $0 { true } else { false } } }

  /// A summary such as `12 requests sent: 9 unchanged, 2 of another shape, 1 with other values; 3 skipped`.
  package var summary: String {
    let asked = recordings.count - notAsked
    let answered = recordings.filter { [.same, .taken].contains($0.outcome) || $0.isKept }
    let (broken, changed) = (answered.count { !$0.shape.isEmpty }, answered.count { $0.hasOtherValues })
    // A replaced recording without reported differences counts as recorded.
    let kept = answered.count { $0.isKept && $0.shape.isEmpty }
    var parts = ["\(answered.count - broken - changed - kept) unchanged"]
    if broken > 0 { parts.append("\(broken) of another shape") }
    if changed > 0 { parts.append("\(changed) with other values") }
    if kept > 0 { parts.append("\(kept) not saved") }
    if unanswered > 0 { parts.append("\(unanswered) without a response") }
    return "\(asked) \(asked == 1 ? "request" : "requests") sent: \(parts.joined(separator: ", "))"
      + (notAsked > 0 ? "; \(notAsked) skipped" : "")
  }

  /// The complete report.
  package var markdown: String {
    var text = "# Refreshed recordings\n\n\(summary).\n"
    text += section("Shape", "Changed types, statuses and fields.", \.shape) { difference in
      "\(Self.code(difference.path)): \(Self.plain(difference.words))" + (difference.isError ? "" : " (compatible)")
    }
    text += section("Values", nil, \.values) { value in
      let (old, new) = (value.old.map(Self.code), value.new.map(Self.code))
      switch (old, new) {
      case (let old?, let new?): return "\(Self.code(value.path)): \(old) → \(new)"
      case (nil, let new?): return "\(Self.code(value.path)): \(new) is new"
      case (let old, nil): return "\(Self.code(value.path)): \(old ?? "it") is gone"
      }
    }
    text += section("Noise", "Values that differ on every request; the recorded values are kept.", \.noise) {
      Self.code($0)
    }
    text += reasons("Kept unchanged") { if case .kept(let reason) = $0 { reason } else { nil } }
    text += reasons("No response") { if case .unanswered(let reason) = $0 { reason } else { nil } }
    text += reasons("Skipped") { if case .notAsked(let reason) = $0 { reason } else { nil } }
    return text
  }

  private func section<Entry>(
    _ title: String, _ words: String?, _ entries: (RefreshedRecording) -> [Entry], _ line: (Entry) -> String
  ) -> String {
    let found = recordings.filter { !entries($0).isEmpty }
    guard !found.isEmpty else { return "" }
    var text = "\n## \(title)\n" + (words.map { "\n\($0)\n" } ?? "") + "\n"
    for recording in found {
      let all = entries(recording)
      text += "- \(Self.code(recording.id)), \(Self.plain(recording.request))"
      text += " (\(Self.plain(recording.cassette)):\(recording.line))\n"
      for entry in all.prefix(Self.most) { text += "  - \(line(entry))\n" }
      if all.count > Self.most { text += "  - and \(all.count - Self.most) more\n" }
    }
    return text
  }

  /// Lists the recordings by reason, in the order in which the reasons first occur.
  private func reasons(_ title: String, _ reason: (RefreshedRecording.Outcome) -> String?) -> String {
    var order: [String] = []
    var ids: [String: [String]] = [:]
    for recording in recordings {
      guard let reason = reason(recording.outcome) else { continue }
      if ids[reason] == nil { order.append(reason) }
      ids[reason, default: []].append(Self.code(recording.id))
    }
    guard !order.isEmpty else { return "" }
    return "\n## \(title)\n\n"
      + order.map { "- \(Self.plain($0)): \(Recording.Changes.list(ids[$0] ?? [], most: Self.most))\n" }.joined()
  }

  /// Returns a text as a code span.
  private static func code(_ text: String) -> String {
    "`\(Printable.escaped(String(text.prefix(200))).replacing("`", with: "'"))`"
  }

  /// Escapes the characters that Markdown would interpret.
  private static func plain(_ text: String) -> String {
    Printable.escaped(text).reduce(into: "") { result, character in
      if "\\`*_[]<>#|@".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}

extension RefreshedRecording {
  fileprivate var hasOtherValues: Bool { shape.isEmpty && !values.isEmpty && !isKept }

  fileprivate var isKept: Bool { if case .kept = outcome { true } else { false } }
}
