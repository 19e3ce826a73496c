internal import CassetteRecording
internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// Bodies that are too long for memory, and are written to disk as they arrive.
extension Recorder {
  /// Begins a long body.
  ///
  /// All functions for long bodies must be called on the recorder's queue.
  func beginBody(_ token: Recording.Token, _ response: RecordedResponse) {
    guard var interaction = recording.begun(token) else { return }
    interaction.outcome = .response(response)
    complaining { journal throws(CassetteError) in try journal.beginBody(of: interaction, number: token.number) }
  }

  /// Appends bytes to a long body.
  func append(_ bytes: [UInt8], toBody token: Recording.Token) {
    complaining { journal throws(CassetteError) in try journal.append(bytes, toBody: token.number) }
  }

  /// Removes a long body that will not be complete.
  func abandonBody(_ token: Recording.Token) { journal.withLock { $0.abandonBody(token.number) } }

  private func complaining(_ act: (inout RecordingJournal) throws(CassetteError) -> Void) {
    journal.withLock { journal in
      do throws(CassetteError) { try act(&journal) } catch { say("error: \(error)") }
    }
  }
}
