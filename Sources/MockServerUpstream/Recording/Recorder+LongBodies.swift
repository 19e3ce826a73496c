internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// Bodies that are too long for memory, and are written to disk as they arrive.
extension Recorder {
  /// Begins a long body; returns nil if that failed.
  func beginBody(_ token: Recording.Token, _ response: RecordedResponse) -> JournalBody? {
    guard var interaction = recording.begun(token) else { return nil }
    interaction.outcome = .response(response)
    return complaining { () throws(CassetteError) in
      try journal.withLock { journal throws(CassetteError) in
        try journal.beginBody(of: interaction, number: token.number)
      }
    }
  }

  /// Appends bytes to a long body, which becomes nil if that failed.
  func append(_ bytes: [UInt8], to body: inout JournalBody?) {
    body =
      complaining { () throws(CassetteError) in
        try body?.append(bytes) { use in changing { use(&$0.pass) } }
        return body
      } ?? nil
  }

  /// Completes a long body.
  func finish(_ body: inout JournalBody?) -> Body? {
    complaining { () throws(CassetteError) in
      try body?.finish { use in changing { use(&$0.pass) } }
    } ?? nil
  }

  private func complaining<T>(_ act: () throws(CassetteError) -> T) -> T? {
    do throws(CassetteError) { return try act() } catch {
      say("error: \(error)")
      return nil
    }
  }
}
