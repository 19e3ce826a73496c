package import CassetteHTTP
internal import CassetteRecording
internal import CassetteSystem
package import Cassettes

/// An exchange that becomes a recording after redaction and a scan for remaining secrets.
package struct AcceptedExchange: Sendable {
  /// The maximum size of a body that an edit adds to a file, in bytes; larger bodies must be recorded.
  package static let longestBody = 1 << 20

  private let request: HTTPRequest
  private let outcome: Interaction.Outcome
  private let facts: RecordedFacts?

  /// Creates an exchange.
  ///
  /// - Parameters:
  ///   - request: The request, including its secrets.
  ///   - outcome: The response or failure to record.
  ///   - facts: The time of the response; nil if the response was not received from a server.
  package init(_ request: HTTPRequest, _ outcome: Interaction.Outcome, _ facts: RecordedFacts? = nil) {
    (self.request, self.outcome, self.facts) = (request, outcome, facts)
  }

  /// Returns the exchange as a recording for a cassette.
  ///
  /// - Parameters:
  ///   - cassette: The cassette, whose placeholders for secrets are reused and whose ids are taken.
  ///   - origin: The origin of the request, if the target does not contain it.
  /// - Returns: The recording, with a unique id.
  /// - Throws: An error if the recording contains a possible token, or cannot be stored.
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
