internal import CassetteHTTP
internal import CassetteMatching
package import Cassettes

/// A recording that answers a request, and the changes that turn it into the answer.
package struct Playback: Sendable {
  /// The number of the request.
  package let request: UInt64
  /// The number of the recording in its table.
  package let entry: Int
  package let recording: RecordingTable.Entry
  /// How the answer is derived from the recording; nil if it is played unchanged.
  package let derivation: Derivation?
  /// The faults that apply to the answer.
  package let faults: [CassetteFault]
  /// The table of the recording.
  package let table: RecordingTable

  /// The part of the session that the answer may use.
  package var session = SessionView()
  /// The request that is answered.
  let asked: HTTPRequest
  /// The names in the request that templates generated.
  var handedOut: [GeneratedName] = []

  /// The differences between the request and the recording; nil if there are none.
  package var approximation: Approximation?

  /// The number of the change that preceded the recording, if other recordings answer the same request.
  package var after: Int?

  /// The violation of the contract, as a response field describes it; nil if none was found.
  package var breach: String?

  /// True if the recording is a stub that was added during playback.
  package var isOfStub: Bool { recording.position < 0 }

  /// The replay rules of the recording, if it has any.
  package var replay: ReplayRules? { table.replay(of: entry) }

  /// The length of stored bodies, in bytes, from which no answer is constant.
  ///
  /// Reading the form of such a body decodes all of it. The server builds its answer outside of the event loops and
  /// keeps it.
  package static let longestConstant = 1 << 20

  /// Returns true if every client receives the same complete response without delay.
  ///
  /// Only this function decides whether an answer may be cached. Such an answer does not depend on the request, the
  /// session, random numbers or the time, no replay rule changes how it is sent, and no test code generates it.
  ///
  /// - `followsFiles`: True if the player reloads the deck when a body's file changes.
  func isConstant(followsFiles: Bool) -> Bool {
    guard derivation == nil, faults.isEmpty, approximation == nil, handedOut.isEmpty, session.settings.isPlain,
      replay?.changesAnswer != true, !recording.isStub,
      !table.isTemplate(entry), !table.isResource(entry), !CallEcho.mayConcern(asked.body),
      recording.interaction.method != .head, let response = recording.interaction.response,
      response.interim.isEmpty, response.trailers.isEmpty,
      response.body?.storedRoom ?? 0 < Self.longestConstant
    else { return false }
    switch response.body?.form {
    case .file: return followsFiles
    case .chunks: return false
    case .json, .text, .base64, nil: return true
    }
  }
}
