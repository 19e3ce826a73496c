package import CassetteHTTP
internal import CassetteRecording
internal import CassetteSystem
package import Cassettes

/// A proposed change of a cassette file, which can be shown, written and reverted.
///
/// All text outside of the change is preserved byte for byte.
package struct CassetteEdit: Sendable {
  /// The path of the file, which need not exist.
  package let path: String
  /// The current contents of the file; nil if it does not exist.
  package let before: [UInt8]?
  /// The new contents of the file.
  package let after: [UInt8]
  /// The id of the interaction that is changed or added.
  package let interaction: String

  /// Creates a change without writing it.
  package init(path: String, before: [UInt8]?, after: [UInt8], interaction: String) {
    (self.path, self.before, self.after, self.interaction) = (path, before, after, interaction)
  }

  /// The change as a unified diff with one hunk.
  package var diff: String { LineDiff.text(path: path, before ?? [], after) }

  /// The reverse change; nil if the file did not exist.
  var undone: CassetteEdit? {
    before.map { CassetteEdit(path: path, before: after, after: $0, interaction: interaction) }
  }
}

/// Compares two versions of a text with a common beginning and end.
enum LineDiff {
  /// The number of unchanged lines around a change.
  private static let context = 3

  /// Returns a unified diff with one hunk; empty if the versions are equal.
  static func text(path: String, _ before: [UInt8], _ after: [UInt8]) -> String {
    let (old, new) = (lines(before), lines(after))
    let most = min(old.count, new.count)
    var head = 0
    while head < most, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < most - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    guard head + tail < max(old.count, new.count) else { return "" }
    let start = max(0, head - context)
    let (oldEnd, newEnd) = (old.count - tail, new.count - tail)
    let after = min(context, tail)
    func range(_ end: Int, of count: Int) -> String {
      let length = end + after - start
      return "\(count == 0 ? 0 : start + 1),\(length)"
    }
    var text = before.isEmpty ? "--- /dev/null\n" : "--- \(path)\n"
    text += "+++ \(path)\n@@ -\(range(oldEnd, of: old.count)) +\(range(newEnd, of: new.count)) @@\n"
    func add(_ sign: String, _ lines: ArraySlice<ArraySlice<UInt8>>) {
      for line in lines { text += sign + String(decoding: line, as: UTF8.self) + "\n" }
    }
    add(" ", old[start..<head])
    add("-", old[head..<oldEnd])
    add("+", new[head..<newEnd])
    add(" ", old[oldEnd..<(oldEnd + after)])
    return text
  }

  private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = text.split(separator: 10, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

extension CassetteEdit {
  /// Writes the file, unless it was edited after the change was proposed.
  ///
  /// - Throws: An error if the file was edited or cannot be written; the file is unchanged in this case.
  package func write() throws(CassetteError) {
    try CassetteFileLock.holding(path) { () throws(CassetteError) in
      try check()
      do throws(FileFailure) {
        try CassetteFileFolder.write(after, toFileAt: path)
      } catch {
        throw CassetteError(file: path, message: error.message)
      }
    }
  }

  /// Reverts the change, unless the file was edited after it.
  package func undo() throws(CassetteError) {
    if let undone { return try undone.write() }
    try CassetteFileLock.holding(path) { () throws(CassetteError) in
      try CassetteEdit(path: path, before: after, after: [], interaction: interaction).check()
      guard unlink(path) == 0 else {
        throw CassetteError(.system("remove", path), of: path)
      }
    }
  }

  private func check() throws(CassetteError) {
    let kind = Folder.kind(of: path)
    guard kind == .file || kind == .missing else {
      throw CassetteError(file: path, message: "is a link or a folder instead of a regular file: nothing was written")
    }
    let now = kind == .file ? try CassetteFile.bytes(of: path) : nil
    guard now == before else {
      throw CassetteError(
        file: path, message: "was edited in the meantime: nothing was written",
        suggestion: "check the file and repeat the request")
    }
  }
}

/// An exchange that becomes a recording after redaction and a scan for remaining secrets.
package struct AcceptedExchange: Sendable {
  /// The maximum size of a body that an edit adds to a file, in bytes; larger bodies must be recorded.
  package static let longestBody = 1 << 20

  private let request: HTTPRequest
  private let outcome: Interaction.Outcome
  private let facts: RecordedFacts?

  /// Creates an exchange.
  ///
  /// - `facts`: The time of the response; nil if the response was not received from a server.
  package init(_ request: HTTPRequest, _ outcome: Interaction.Outcome, _ facts: RecordedFacts? = nil) {
    (self.request, self.outcome, self.facts) = (request, outcome, facts)
  }

  /// Returns the exchange as a recording for a cassette.
  ///
  /// - `cassette`: The cassette, whose placeholders for secrets are reused and whose ids are taken.
  /// - `origin`: The origin of the request, if the target does not contain it.
  package func recording(in cassette: Cassette, origin: String?) throws(CassetteError) -> Interaction {
    let recording = Recording(into: cassette, mode: .recordMissing)
    var own = request
    // The `Host` field contains the address of the mock server; the URL contains the origin.
    own.headers.remove("Host")
    let token = recording.begin(own, origin: origin)
    switch outcome {
    case .response(let response): recording.finish(token, response, recorded: facts)
    case .failure(let failure): recording.finish(token, failure, recorded: facts)
    }
    if let reason = recording.refusals().first {
      throw CassetteError(file: cassette.file ?? "\(cassette.name).json", message: reason)
    }
    let merged = try recording.merged().cassette
    let known = Set(cassette.interactions.map(\.id))
    guard var added = merged.interactions.last(where: { $0.id.isEmpty || !known.contains($0.id) }) else {
      throw CassetteError(
        file: cassette.file ?? "\(cassette.name).json", message: "this exchange is already recorded")
    }
    added.id = Self.id(of: added, besides: known)
    return added
  }

  /// Returns a unique id for a recording, derived in the same way as for recordings without an id in their file.
  package static func id(of interaction: Interaction, besides known: Set<String>) -> String {
    var ids = CassetteFileIDs(capacity: known.count + 1)
    for id in known { _ = ids.insert(Array(id.utf8).span) }
    let (method, url) = (Array(interaction.method.rawValue.utf8), Array(interaction.url.utf8))
    return String(decoding: ids.derive(method: method.span, url: url.span), as: UTF8.self)
  }
}
