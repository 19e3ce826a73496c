package import CassetteHTTP
internal import CassetteSystem
internal import Cassettes

extension Deck {
  /// Plays the recording that alone answers a request, whatever else that says: the way of nearly every request.
  ///
  /// The general way comes to the same recording: it made a session's answer 1.5 times as long as a constant, this 1.3.
  func settled(_ request: HTTPRequest, _ number: UInt64, _ session: String) -> Playback? {
    guard request.method != .head, request.target.form == .origin || request.target.form == .absolute,
      request.headers.allSatisfy({ RequestHead.Notable(field: $0.name).isSubset(of: [.upgrade, .session]) })
    else { return nil }
    let table = state.withLock { state in
      state.layers.tables(for: session).isEmpty && state.faults.isEmpty && state.settings.isPlain ? state.table : nil
    }
    guard let table, let entry = table.settled(request, hasCredentials: request.hasCredentials) else { return nil }
    let recording = table.entries[entry]
    // A failure is no answer, and another origin's is not this one's.
    guard recording.interaction.status != nil,
      !knowsOrigins || Matcher.originMismatch(of: request, recording, nil) == nil
    else { return nil }
    table.mark(entry, by: number)
    return Playback(
      request: number, entry: entry, recording: recording, derivation: nil, faults: [], table: table, asked: request)
  }
}

extension HTTPRequest {
  fileprivate var hasCredentials: Bool { headers.contains { CredentialField.isNamed($0.name) } }
}

extension RecordingTable {
  /// Returns the entry that always answers a request's method and target, with credentials or without.
  package func settled(_ request: HTTPRequest, hasCredentials: @autoclosure () -> Bool) -> Int? {
    request.method.rawValue.withUTF8Span { method in
      request.target.text.withUTF8Span { text in
        RecordedTarget.withPathAndQuery(text) { settled(method: method, target: $0, hasCredentials: hasCredentials) }
      }
    }
  }
}
