import CassetteHTTP
internal import CassettePlayback
internal import CassetteRecording
public import CassetteSecrets
internal import CassetteSystem
public import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CassettePlayer {
  /// Changes the redaction, to take out more secrets than the usual, or fewer.
  ///
  /// - Parameter change: Gets the rules so far, gives those to save with.
  public func redact(_ change: (CassetteRedaction) -> CassetteRedaction) {
    state.withLock { $0.redaction = change($0.redaction) }
  }

  /// Writes the recording: redacted, merged into the cassettes there were, each file whole or not at all.
  ///
  /// - Returns: What changed, a line for each cassette that is recorded.
  /// - Throws: ``CassetteError`` for what looks like a secret still, or for what the system said.
  @discardableResult
  public func save() throws(CassetteError) -> [String] { try save(failed: false) }

  /// Writes what a test recorded and says what changed, a line a cassette; if it failed, what was there before stays.
  package func save(failed: Bool) throws(CassetteError) -> [String] {
    let (recorders, redaction, match) = state.withLock { ($0.recorders, $0.redaction, $0.recordedMatch) }
    var lines: [String] = []
    var failure: CassetteError?
    for recorder in recorders {
      var outcome = RecordingFile.Outcome()
      outcome.redaction = redaction
      outcome.hasFailed = failed
      outcome.match = match
      outcome.played = played(of: recorder.path)
      do throws(CassetteError) { lines.append(try recorder.save(outcome)) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return lines
  }

  /// The recordings of a cassette that answered something, by id.
  private func played(of path: String) -> Set<String> {
    let table = deck.table
    let never = Set(table.neverPlayed)
    return Set(
      table.entries.indices.filter { !never.contains($0) && table.entries[$0].interaction.place?.file == path }
        .map { table.entries[$0].interaction.id })
  }

  /// True if requests may reach the network.
  public var isRecording: Bool { state.withLock { $0.isLive || !$0.recorders.isEmpty } }

  func send(_ call: LiveCall) {
    NetworkDenial.allow(call.request.url)
    live.send(call)
  }

  /// The call that asks the network, where a mode says so; its exchange goes to the cassette of its origin, else the first.
  func liveCall(
    _ request: URLRequest, _ asked: HTTPRequest, _ content: [UInt8], _ defaults: [String: String]
  ) -> LiveCall? {
    let (isLive, recorders) = state.withLock { ($0.isLive, $0.recorders) }
    guard isLive || !recorders.isEmpty else { return nil }
    let origin = RecordedTarget.origin(of: asked.target.text)
    let own = recorders.first { $0.origin.map(RecordedTarget.canonicalOrigin) == origin } ?? recorders.first
    let exchange = own.map { RecordedExchange(of: asked, by: $0.recording) }
    var sent = request
    for (name, value) in defaults where sent.value(forHTTPHeaderField: name) == nil {
      sent.setValue(value, forHTTPHeaderField: name)
    }
    sent.httpBodyStream = nil
    sent.httpBody = content.isEmpty ? nil : Data(content)
    return LiveCall(sent, recordedAs: exchange)
  }
}
