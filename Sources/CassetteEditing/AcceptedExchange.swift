internal import CassetteFiles
package import CassetteHTTP
internal import CassetteRecording
internal import CassetteSystem
package import Cassettes

/// An exchange that is to become a recording: redacted as all that is recorded is, and checked for what was missed.
package struct AcceptedExchange: Sendable {
  /// The longest content that an edit puts into a file, in bytes; what is longer is recorded.
  package static let longestBody = 1 << 20

  private let request: HTTPRequest
  private let outcome: Interaction.Outcome
  private let facts: RecordedFacts?

  /// An exchange as it was.
  ///
  /// - Parameters:
  ///   - request: What was sent, secrets and all.
  ///   - outcome: What it is to be answered.
  ///   - facts: When that came; nil for an answer that never came.
  package init(_ request: HTTPRequest, _ outcome: Interaction.Outcome, _ facts: RecordedFacts? = nil) {
    (self.request, self.outcome, self.facts) = (request, outcome, facts)
  }

  /// The recording that it becomes in a cassette.
  ///
  /// - Parameters:
  ///   - cassette: What it is to be added to: its aliases of secrets hold, and its ids are taken.
  ///   - origin: Who was asked, where the target does not say it.
  /// - Returns: The recording, with an id of its own.
  /// - Throws: What looks like a token in it, or why it cannot be kept.
  package func recording(in cassette: Cassette, origin: String?) throws(CassetteError) -> Interaction {
    let recording = Recording(into: cassette, mode: .recordMissing)
    var own = request
    // The host of the mock server is nobody's: who was asked is in the URL.
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
        file: cassette.file ?? "\(cassette.name).json", message: "there is a recording of this already")
    }
    added.id = Self.id(of: added, besides: known)
    return added
  }

  /// The id that a recording gets beside others, as one that is written without an id does.
  package static func id(of interaction: Interaction, besides known: Set<String>) -> String {
    var ids = CassetteFileIDs(capacity: known.count + 1)
    for id in known { _ = ids.insert(Array(id.utf8).span) }
    let (method, url) = (Array(interaction.method.rawValue.utf8), Array(interaction.url.utf8))
    return String(decoding: ids.derive(method: method.span, url: url.span), as: UTF8.self)
  }
}
