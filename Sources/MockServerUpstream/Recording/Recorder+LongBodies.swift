internal import CassetteRecording
internal import CassetteSystem
internal import Cassettes
internal import Dispatch

/// Bodies too long for the memory, which go to the disk while they arrive.
extension Recorder {
  /// Begins a body too long for the memory; on the queue, as all that is done with it.
  func beginBody(_ token: Recording.Token, _ response: RecordedResponse) {
    guard var interaction = recording.begun(token) else { return }
    interaction.outcome = .response(response)
    complaining { journal throws(CassetteError) in try journal.beginBody(of: interaction, number: token.number) }
  }

  /// Writes a part of one.
  func append(_ bytes: [UInt8], toBody token: Recording.Token) {
    complaining { journal throws(CassetteError) in try journal.append(bytes, toBody: token.number) }
  }

  /// Removes one that will never be whole.
  func abandonBody(_ token: Recording.Token) { journal.withLock { $0.abandonBody(token.number) } }

  private func complaining(_ act: (inout RecordingJournal) throws(CassetteError) -> Void) {
    journal.withLock { journal in
      do throws(CassetteError) { try act(&journal) } catch { say("error: \(error)") }
    }
  }
}
