internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
package import Cassettes

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

  var cassette: String
  var line: Int
  var id: String
  /// The method and URL, with secrets masked.
  var request: String
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
  var notAsked: Int { count { if case .notAsked = $0 { true } else { false } } }

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

/// A value of a response that differs from the recorded one.
package struct RefreshedValue: Hashable, Sendable {
  /// The path of the value: `$.items[0].id`, `header:Link`.
  var path: String
  /// The recorded value in its source form; nil if there was none.
  var old: String?
  /// The new value; nil if it was removed.
  var new: String?

  init(path: String, old: String?, new: String?) { (self.path, self.old, self.new) = (path, old, new) }
}

/// Classifies the differences between a recording and a new response as shape, values or noise.
package struct RefreshComparison: Sendable {
  /// The differences in shape; those that break clients come first.
  package private(set) var shape: [ShapeDifference]
  /// Values that differ, redacted like the cassette.
  package private(set) var values: [RefreshedValue] = []
  /// The paths of values that differ in every response; the cassette keeps its values there.
  package private(set) var noise: [String] = []

  /// Compares a recording with a new response.
  ///
  /// - `new`: The response that replaces the recorded one; nil if the recording is kept.
  /// - `accepted`: The places whose differences are not reported. Default: none.
  package init(
    _ old: RecordedResponse, _ answer: RecordedResponse, _ new: RecordedResponse?, shape: [ShapeDifference],
    accepting accepted: IgnoredPlaces = IgnoredPlaces()
  ) throws(CassetteError) {
    let told = shape.filter { !Self.covers(accepted, $0.path) }
    self.shape = told.filter(\.isError) + told.filter { !$0.isError }
    if let new { values = try changes(old, new, besides: shape).filter { !Self.covers(accepted, $0.path) } }
    // A secret always differs from its placeholder, which is not noise.
    var known: Set<String> = []
    if let new { known = Set(try changes(old, new, besides: []).map(\.path)) }
    noise = try changes(old, answer, besides: shape).filter { change in
      !known.contains(change.path) && SecretAlias.numbers(in: Array((change.old ?? "").utf8)).isEmpty
        && !Self.covers(accepted, change.path)
    }.map(\.path)
  }

  private func changes(
    _ old: RecordedResponse, _ new: RecordedResponse, besides shape: [ShapeDifference]
  ) throws(CassetteError) -> [RefreshedValue] {
    guard old.status == new.status else { return [] }
    var found = Self.fields(old.headers, new.headers)
    let (before, after) = (try old.body?.bytes() ?? [], try new.body?.bytes() ?? [])
    guard before != after else { return found.filter { !Self.isShape($0.path, shape) } }
    if JSONTree(before) != nil, JSONTree(after) != nil {
      found += JSONDifference.between(after, before).map {
        RefreshedValue(path: $0.path, old: $0.recorded, new: $0.sent)
      }
    } else {
      found.append(RefreshedValue(path: "body", old: "\(before.count) bytes", new: "\(after.count) bytes"))
    }
    return found.filter { !Self.isShape($0.path, shape) }
  }

  private static func fields(_ old: HTTPHeaders, _ new: HTTPHeaders) -> [RefreshedValue] {
    var seen: Set<String> = ["content-length", "transfer-encoding", "connection", "keep-alive"]
    var found: [RefreshedValue] = []
    for field in Array(old) + Array(new) where seen.insert(field.name.lowercased()).inserted {
      let (before, after) = (old.values(of: field.name), new.values(of: field.name))
      guard before != after else { continue }
      func shown(_ values: [String]) -> String? {
        values.isEmpty
          ? nil : values.map { SecretNames.masked(field: field.name, value: $0) }.joined(separator: ", ")
      }
      found.append(RefreshedValue(path: "header:\(field.name)", old: shown(before), new: shown(after)))
    }
    return found
  }

  /// Returns true if a difference in shape covers a path.
  private static func isShape(_ path: String, _ shape: [ShapeDifference]) -> Bool {
    let general = general(path)
    return shape.contains { difference in
      guard general.lowercased().hasPrefix(difference.path.lowercased()) else { return false }
      guard let next = general.dropFirst(difference.path.count).first else { return true }
      return next == "." || next == "["
    }
  }

  private static func covers(_ places: IgnoredPlaces, _ path: String) -> Bool {
    if path.hasPrefix("header:") { return places.covers(field: String(path.dropFirst("header:".count))) }
    return places.covers(path: path) || places.covers(path: general(path))
  }

  /// Returns a path without array indices: `$.items[3].id` becomes `$.items[*].id`.
  static func general(_ path: String) -> String {
    var result = ""
    var rest = path[...]
    while let open = rest.firstIndex(of: "[") {
      result += rest[..<open]
      let inside = rest[rest.index(after: open)...]
      let digits = inside.prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty, inside[digits.endIndex...].first == "]" {
        result += "[*]"
        rest = inside[digits.endIndex...].dropFirst()
      } else {
        result += "["
        rest = inside
      }
    }
    return result + rest
  }
}

/// Finds recordings that are too old, by their recorded time.
package struct RecordingAge: Sendable {
  private let seconds: Double
  private let words: String
  private let now: Double

  /// Creates an age limit.
  ///
  /// - `seconds`: The maximum age, in seconds.
  /// - `words`: The maximum age as the user typed it, for messages.
  package init(_ seconds: Double, _ words: String, now: String) {
    self.seconds = seconds
    self.words = words
    self.now = GeneratedValue.seconds(Array(now.utf8)) ?? 0
  }

  /// Returns true if a recording is older than the limit, or nil if it has no time.
  package func isOlder(_ interaction: Interaction) -> Bool? {
    guard let text = interaction.recorded?.at, let made = GeneratedValue.seconds(Array(text.utf8)) else { return nil }
    return now - made > seconds
  }

  /// Returns an error for each cassette with old recordings, at the oldest one, and a warning for each with recordings
  /// without a time.
  func findings(in cassettes: [Cassette]) -> [CassetteError] {
    cassettes.flatMap { cassette -> [CassetteError] in
      let file = cassette.file ?? cassette.name
      var found: [CassetteError] = []
      let old = cassette.interactions.filter { isOlder($0) == true }
      // The same instant can have several notations; for these, either recording may be reported.
      if let oldest = old.min(by: { ($0.recorded?.at ?? "") < ($1.recorded?.at ?? "") }) {
        let count = "\(old.count) of \(cassette.interactions.count) recordings \(old.count == 1 ? "is" : "are")"
        found.append(
          CassetteError(
            file: oldest.place?.file ?? file, line: oldest.place?.line ?? 1, column: oldest.place?.column ?? 1,
            message: "\(count) older than \(words), the oldest, \"\(oldest.shownID)\", of \(oldest.recorded?.at ?? "")",
            suggestion:
              "record it again: mockserver refresh --older-than \(words) \(ShellWord.path(file)); in Swift tests: CASSETTE_MODE=refresh swift test"
          ))
      }
      let silent = cassette.interactions.count { isOlder($0) == nil }
      if silent > 0 {
        found.append(
          CassetteError(
            file: file, line: 1, column: 1,
            message: "\(silent) of \(cassette.interactions.count) recordings have no date",
            severity: .warning))
      }
      return found
    }
  }
}
