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
  /// Changes the redaction, to redact more or fewer secrets than by default.
  ///
  /// - Parameter change: Returns the new redaction, based on the current one.
  public func redact(_ change: (CassetteRedaction) -> CassetteRedaction) {
    state.withLock { $0.redaction = change($0.redaction) }
  }

  /// Redacts the recordings and merges them into the cassettes; each file is replaced atomically.
  ///
  /// - Returns: A description of the changes, with a line for each recorded cassette.
  /// - Throws: ``CassetteError`` if a value still looks like a secret, or a file cannot be written.
  @discardableResult
  public func save() throws(CassetteError) -> [String] { try save(failed: false) }

  /// Writes the recordings of a test, and returns a line about the changes of each cassette.
  ///
  /// If the test failed, existing recordings are kept.
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

  /// The exchanges whose answers were not recorded, with the reasons.
  package var refusals: [String] {
    let (recorders, redaction) = state.withLock { ($0.recorders, $0.redaction) }
    return recorders.flatMap { $0.recording.refusals(redaction) }
  }

  /// Returns the ids of the recordings of a cassette that answered a request.
  private func played(of path: String) -> Set<String> {
    let table = deck.table
    let never = Set(table.neverPlayed)
    return Set(
      table.entries.indices.filter { !never.contains($0) && table.entries[$0].interaction.place?.file == path }
        .map { table.entries[$0].interaction.id })
  }

  /// True if requests may be sent to the network.
  public var isRecording: Bool { state.withLock { !$0.recorders.isEmpty } }

  func send(_ call: LiveCall) {
    NetworkDenial.allow(call.request.url)
    live.send(call)
  }

  /// Returns the call that sends a request to the network, or nil if the mode does not do so; the exchange is recorded
  /// in the cassette with the same origin, or else in the first one.
  func liveCall(
    _ request: URLRequest, _ asked: HTTPRequest, _ content: [UInt8], _ defaults: [String: String]
  ) -> LiveCall? {
    let recorders = state.withLock { $0.recorders }
    guard !recorders.isEmpty else { return nil }
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
