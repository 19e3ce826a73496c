package import CassetteHTTP
import CassetteJSON
package import CassetteRecording
package import CassetteSecrets
package import Cassettes

/// Takes answers that are no longer what was recorded into a cassette: nothing but them changes.
package struct Acceptance: Sendable {
  private struct Taken: Sendable {
    var recording: Int
    var interaction: Interaction
    var renews: Bool
  }

  private let cassette: Cassette
  private var redaction: CassetteRedaction
  private var taken: [Taken] = []

  /// Begins to accept answers into a cassette; the secrets that were sent are taken out wherever they come back.
  package init(into cassette: Cassette, redaction: CassetteRedaction, secrets: some Sequence<String>) {
    self.cassette = cassette
    self.redaction = secrets.reduce(redaction) { $0.redacting(.value($1)) }
  }

  /// True if there is nothing to accept.
  package var isEmpty: Bool { taken.isEmpty }

  /// Takes an answer for a recording, or says why not; what was sent tells its secrets; `renews` takes it for its date
  /// too.
  package mutating func take(
    _ answer: RecordedResponse, _ facts: RecordedFacts, to request: HTTPRequest, for recording: Int,
    renews: Bool = false
  ) -> String? {
    guard cassette.interactions.indices.contains(recording) else { return "there is no such recording" }
    let old = cassette.interactions[recording]
    if answer.status.code != old.status, ResponseComparison.isPassing(answer.status.code) {
      return "a \(answer.status.code) says nothing about what was recorded"
    }
    guard let hidden = Self.hidden(in: old) else {
      return "its body hides a secret in text, which cannot be found again, or cannot be read; record it again"
    }
    redaction = hidden.reduce(redaction) { $0.redacting($1) }
    var answer = answer
    let keepsLength = request.method == .head || answer.status.code == 304
    answer.headers = Recording.kept(answer.headers, keepsLength: keepsLength, host: nil)
    // The request as it was sent: what is secret in it is known by its place.
    let origin = RecordedTarget.origin(of: old.url)
    let interaction = Interaction(
      method: request.method, url: (origin ?? "") + request.pathAndQuery,
      requestHeaders: Recording.kept(request.headers, keepsLength: false, host: origin),
      requestBody: request.body.isEmpty ? nil : .storing(request.body), outcome: .response(answer), recorded: facts)
    taken.append(Taken(recording: recording, interaction: interaction, renews: renews))
    return nil
  }

  /// Returns the accepted answers' cassette, redacted and checked for secrets that were missed, and what is different
  /// in it.
  package func merged() throws(CassetteError) -> (cassette: Cassette, changes: Recording.Changes) {
    let ordered = taken.sorted { $0.recording < $1.recording }
    return try Recording.renewing(
      ordered.map { (at: $0.recording, with: $0.interaction, keepsDate: !$0.renews) }, of: cassette, redaction)
  }

  /// The places where an answer hid something, so that what stands there now is hidden, too; nil when one has no name.
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
    guard let tree = JSONTree(bytes) else { return nil }
    var paths: Set<String> = []
    collect(tree.root, of: tree, "$", &paths)
    return places + paths.sorted().map { .json($0) }
  }

  private static func collect(_ node: JSONTree.Node, of tree: JSONTree, _ path: String, _ paths: inout Set<String>) {
    switch node.kind {
    case .object(let members):
      for member in members {
        let step = JSONPath([.member(String(decoding: member.name, as: UTF8.self))]).description.dropFirst()
        collect(member.value, of: tree, path + step, &paths)
      }
    case .array(let elements):
      for element in elements { collect(element, of: tree, path + "[*]", &paths) }
    case .scalar:
      if !SecretAlias.numbers(in: Array(tree.bytes[node.range])).isEmpty { paths.insert(path) }
    }
  }
}
