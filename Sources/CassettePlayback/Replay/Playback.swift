internal import CassetteHTTP
internal import CassetteMatching
package import Cassettes

/// A recording that answers a request, and how it becomes the answer.
package struct Playback: Sendable {
  /// The number of the request.
  package let request: UInt64
  /// The number of the recording in its table.
  package let entry: Int
  package let recording: RecordingTable.Entry
  /// The way the answer is derived from the recording; nil when it is given as it is.
  package let derivation: Derivation?
  /// The faults that apply to the answer.
  package let faults: [CassetteFault]
  /// The table of the recording, and its number.
  package let table: RecordingTable

  /// The part of the session that the answer may use.
  package var session = SessionView()
  /// The request that is answered.
  let asked: HTTPRequest
  /// The names in it that templates had given out.
  var handedOut: [HandedOutName] = []

  /// The differences between the request and the recording; nil when there are none.
  package var approximation: Approximation?

  /// The number of the change that its answer was recorded after, where others answer the same request.
  package var after: Int?

  /// In what the exchange breaks its contract, as a field of the answer; nil if nothing was found.
  package var breach: String?

  /// True if a stub plays that was added meanwhile.
  package var isOfStub: Bool { recording.position < 0 }

  /// The rules of replay, if a person wrote some.
  package var replay: ReplayRules? { table.replay(of: entry) }

  /// True if everybody who is given this recording gets the same response, at once and whole.
  ///
  /// This is the only place that decides whether an answer may be kept. Nothing of the request, the session, chance or
  /// time is in such an answer, no rule says how it is sent, and no code of a test makes it.
  ///
  /// - Parameter followsFiles: True if the deck is loaded again when a body's file changes.
  /// - Returns: True if the answer may be kept.
  func isConstant(followsFiles: Bool) -> Bool {
    guard derivation == nil, faults.isEmpty, approximation == nil, handedOut.isEmpty, session.settings.isPlain,
      replay?.changesAnswer != true, !recording.isStub,
      !table.isTemplate(entry), !table.isResource(entry), !CallMark.isIn(asked.body),
      recording.interaction.method != .head, let response = recording.interaction.response,
      response.interim.isEmpty, response.trailers.isEmpty
    else { return false }
    switch response.body?.form {
    case .file: return followsFiles
    case .chunks: return false
    case .json, .text, .base64, nil: return true
    }
  }
}
