package import CassetteHTTP
import CassetteJSON
package import CassetteRecording
package import CassetteSecrets
package import Cassettes

/// Replaces recordings of a cassette by new responses, leaving everything else unchanged.
package struct Acceptance: Sendable {
  private struct Taken: Sendable {
    var recording: Int
    var interaction: Interaction
    var renews: Bool
  }

  private let cassette: Cassette
  private var redaction: CassetteRedaction
  private var taken: [Taken] = []

  /// Creates an acceptance without responses.
  ///
  /// - `secrets`: The secrets that requests contain, which are redacted in responses as well.
  package init(into cassette: Cassette, redaction: CassetteRedaction, secrets: some Sequence<String>) {
    self.cassette = cassette
    self.redaction = secrets.reduce(redaction) { $0.redacting(.value($1)) }
  }

  /// True if no response was accepted.
  package var isEmpty: Bool { taken.isEmpty }

  /// Accepts a response for a recording.
  ///
  /// - `request`: The request as it was sent; its secrets are recognized by their position.
  /// - `renews`: True to update the recorded date even if nothing else changes. Default: false.
  ///
  /// Returns the reason why the response cannot be accepted, or nil if it was.
  package mutating func take(
    _ answer: RecordedResponse, _ facts: RecordedFacts, to request: HTTPRequest, for recording: Int,
    renews: Bool = false
  ) -> String? {
    guard cassette.interactions.indices.contains(recording) else { return "the recording does not exist" }
    let old = cassette.interactions[recording]
    if answer.status.code != old.status, ResponseComparison.isPassing(answer.status.code) {
      return "a response with status \(answer.status.code) cannot replace the recording"
    }
    guard let hidden = Self.hidden(in: old) else {
      return "its body has a redacted secret in free text, which cannot be located in the new body, or cannot be read; "
        + "record it again"
    }
    redaction = hidden.reduce(redaction) { $0.redacting($1) }
    var answer = answer
    let keepsLength = request.method == .head || answer.status.code == 304
    answer.headers = Recording.kept(answer.headers, keepsLength: keepsLength, host: nil)
    // The request must contain its secrets, because they are recognized by their position.
    let origin = RecordedTarget.origin(of: old.url)
    let interaction = Interaction(
      method: request.method, url: (origin ?? "") + request.pathAndQuery,
      requestHeaders: Recording.kept(request.headers, keepsLength: false, host: origin),
      requestBody: request.body.isEmpty ? nil : .storing(request.body), outcome: .response(answer), recorded: facts)
    taken.append(Taken(recording: recording, interaction: interaction, renews: renews))
    return nil
  }

  /// Returns the cassette with the accepted responses, redacted and scanned for remaining secrets, and the changes.
  package func merged() throws(CassetteError) -> (cassette: Cassette, changes: Recording.Changes) {
    let ordered = taken.sorted { $0.recording < $1.recording }
    return try Recording.renewing(
      ordered.map { (at: $0.recording, with: $0.interaction, keepsDate: !$0.renews) }, of: cassette, redaction)
  }

  /// Returns the places of redacted secrets in a response, or nil if a secret cannot be located by a path.
  ///
  /// The new values at these places are redacted as well.
  private static func hidden(in interaction: Interaction) -> [CassetteRedaction.Place]? {
    guard let response = interaction.response else { return [] }
    var places: [CassetteRedaction.Place] = []
    for field in response.headers where !SecretAlias.neutral(field.value).numbers.isEmpty {
      places.append(.header(field.name))
    }
    guard let body = response.body else { return places }
    // A body that cannot be read may contain any secret.
    guard let bytes = try? body.bytes() else { return nil }
    guard !SecretAlias.numbers(in: bytes).isEmpty else { return places }
    var paths: Set<String> = []
    let isJSON = JSONScalars.each(in: bytes) { path, range in
      guard !SecretAlias.numbers(in: Array(bytes[range])).isEmpty else { return }
      let steps = path.map { step -> Substring in
        if case .element = step { "[*]" } else { JSONPath([step]).description.dropFirst() }
      }
      paths.insert("$" + steps.joined())
    }
    return isJSON ? places + paths.sorted().map { .json($0) } : nil
  }
}

extension Recording {
  /// Replaces the responses of recordings and keeps everything else.
  ///
  /// - `answers`: The indices of recordings with their replacements, in the order of the cassette. A replacement that
  ///   keeps its date is ignored if only volatile values have changed.
  static func renewing(
    _ answers: [(at: Int, with: Interaction, keepsDate: Bool)], of cassette: Cassette, _ redaction: CassetteRedaction
  ) throws(CassetteError) -> (cassette: Cassette, changes: Changes) {
    var merge = RecordingMerge(into: cassette, redaction)
    let sent = answers.map { RecordingMerge.Sent(interaction: $0.with, renews: !$0.keepsDate) }
    let result = try merge.merged(sent, again: answers.map(\.at))
    try SecretScanner(redaction).check(result.cassette)
    let others = cassette.interactions.enumerated().filter { index, interaction in
      !result.asked.contains(index) && !result.reredacted.contains(interaction.id)
    }
    var changes = Changes(changed: result.reredacted, unchanged: others.count)
    for outcome in result.outcomes { changes.note(outcome) }
    return (result.cassette, changes)
  }
}
