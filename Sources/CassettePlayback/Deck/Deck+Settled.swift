internal import CassetteHTTP
internal import CassetteSystem
internal import Cassettes

extension Deck {
  /// Plays the recording that alone answers a request, whatever else that says: the way of nearly every request.
  ///
  /// The general way comes to the same recording: it made a session's answer 1.5 times as long as a constant, this 1.3.
  func settled(_ request: HTTPRequest, _ number: UInt64, _ session: String) -> Playback? {
    guard request.method != .head, request.target.form == .origin || request.target.form == .absolute,
      !request.headers.contains(where: { Self.mayChange($0.name) })
    else { return nil }
    let table = state.withLock { state in
      state.layers.tables(for: session).isEmpty && state.faults.isEmpty && state.settings.isPlain ? state.table : nil
    }
    guard let table, let entry = table.settled(request) else { return nil }
    let recording = table.entries[entry]
    // A failure is no answer, and another origin's is not this one's.
    guard recording.interaction.status != nil,
      !knowsOrigins || Matcher.originMismatch(of: request, recording, nil) == nil
    else { return nil }
    table.mark(entry, by: number)
    return Playback(
      request: number, entry: entry, recording: recording, derivation: nil, faults: [], table: table, asked: request)
  }

  /// Tells whether a field may change how a request is answered, as ``RequestHead/Notable`` has them.
  private static func mayChange(_ name: String) -> Bool {
    switch name.utf8.first.map({ $0 | 0x20 }) {
    case UInt8(ascii: "i"): name.lowercased().hasPrefix("if-")
    case UInt8(ascii: "r"): name.lowercased() == "range"
    case UInt8(ascii: "o"): name.lowercased() == "origin"
    case UInt8(ascii: "a"): name.lowercased().hasPrefix("access-control-request-")
    default: false
    }
  }
}

extension RecordingTable {
  fileprivate func settled(_ request: HTTPRequest) -> Int? {
    request.method.rawValue.withUTF8Span { method in
      request.target.text.withUTF8Span { text in
        RecordedTarget.withPathAndQuery(text) { target in
          settled(method: method, target: target) { request.headers.contains { CredentialField.isNamed($0.name) } }
        }
      }
    }
  }
}
