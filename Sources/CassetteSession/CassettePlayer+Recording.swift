public import Cassettes
import Foundation
import HTTP
import HTTPFoundation
import Synchronization

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CassettePlayer {
  /// Takes more secrets out of what is recorded than the usual, or fewer.
  ///
  /// - Parameter change: Gets the rules so far, gives those to save with.
  public func redact(_ change: (Redaction) -> Redaction) {
    state.withLock { $0.redaction = change($0.redaction) }
  }

  /// Writes what was recorded: secrets taken out, merged into the cassettes there were, each whole or not at all.
  ///
  /// - Returns: What changed, a line for each cassette that is recorded.
  /// - Throws: ``CassetteError`` for what looks like a secret still, or for what the system said.
  @discardableResult
  public func save() throws(CassetteError) -> [String] {
    let (recorders, redaction) = state.withLock { ($0.recorders, $0.redaction) }
    var lines: [String] = []
    var failure: CassetteError?
    for recorder in recorders {
      do throws(CassetteError) { lines.append(try recorder.save(redaction)) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
    return lines
  }

  /// Whether requests may reach the network.
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
    let take = own.map { Take(of: asked, by: $0.recording) }
    var sent = request
    for (name, value) in defaults where sent.value(forHTTPHeaderField: name) == nil {
      sent.setValue(value, forHTTPHeaderField: name)
    }
    sent.httpBodyStream = nil
    sent.httpBody = content.isEmpty ? nil : Data(content)
    return LiveCall(sent, take: take)
  }
}
