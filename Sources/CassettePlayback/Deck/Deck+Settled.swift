package import CassetteHTTP
internal import CassetteSystem
internal import Cassettes

/// A recording that alone answers a request, whatever else that says.
package struct SettledPlay: Sendable {
  /// The number of the request.
  package let request: UInt64
  /// The number of the recording in its table.
  package let entry: Int
  package let table: RecordingTable

  package var recording: RecordingTable.Entry { table.entries[entry] }

  /// Returns the playback that the general way would give.
  package func playback(of asked: HTTPRequest) -> Playback {
    Playback(
      request: request, entry: entry, recording: recording, derivation: nil, faults: [], table: table, asked: asked)
  }
}

extension Deck {
  /// Plays the recording that alone answers a request, whatever else that says: the way of nearly every request.
  ///
  /// The general way comes to the same recording: it made a session's answer 1.5 times as long as a constant, this 1.3.
  package func settled(_ request: HTTPRequest, session: String = "") -> SettledPlay? {
    guard request.target.form == .origin || request.target.form == .absolute else { return nil }
    let fields = request.headers.map(\.name)
    return settled(request.method.rawValue, request.target.text, fields, session) { recording in
      !knowsOrigins || Matcher.originMismatch(of: request, recording, nil) == nil
    }
  }

  /// Returns the settled play of a URL, where it has the recorded origin letter for letter.
  ///
  /// Making a request first took 3,000 of the 33,000 instructions that loading an answer takes.
  package func settled(method: String, url: String, fields: [String]) -> SettledPlay? {
    settled(method, url, fields, "") { recording in
      recording.origin?.withUTF8Span { origin in
        url.withUTF8Span { url in
          RecordedTarget.originLength(url) == origin.count && url.extracting(0..<origin.count).equals(origin)
        }
      } ?? false
    }
  }

  private func settled(
    _ method: String, _ target: String, _ fields: [String], _ session: String,
    _ isOfOrigin: (RecordingTable.Entry) -> Bool
  ) -> SettledPlay? {
    guard method != "HEAD", !fields.contains(where: PreconditionField.isNamed) else { return nil }
    let table = state.withLock { state in
      state.layers.tables(for: session).isEmpty && state.faults.isEmpty && state.settings.isPlain ? state.table : nil
    }
    guard let table,
      let entry = table.settled(method, target, hasCredentials: { fields.contains(where: CredentialField.isNamed) }),
      // A failure is no answer, and another origin's is not this one's.
      table.entries[entry].interaction.status != nil, isOfOrigin(table.entries[entry])
    else { return nil }
    let number = countRequest()
    table.mark(entry, by: number)
    return SettledPlay(request: number, entry: entry, table: table)
  }
}

extension RecordingTable {
  /// Returns the entry that always answers a method and a target, with credentials or without.
  package func settled(_ method: String, _ target: String, hasCredentials: () -> Bool) -> Int? {
    method.withUTF8Span { method in
      target.withUTF8Span { text in
        RecordedTarget.withPathAndQuery(text) { settled(method: method, target: $0, hasCredentials: hasCredentials) }
      }
    }
  }
}
