internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes
internal import MockServerUpstream

/// The secrets found in requests of the journal.
///
/// Each request is scanned only once.
final class JournalSecrets: Sendable {
  private struct State: Sendable {
    var pass = RedactionPass(CassetteRedaction())
    var seen: Set<UInt64> = []
  }

  /// The number of scanned requests after which the state is discarded.
  private static let most = 20_000

  private let state = Locked(State())

  /// Returns a redaction of the secrets in some requests, in those of earlier calls, and of a running recorder.
  func named(by records: [JournalRecord], _ recorded: RedactionPass?) -> RedactionPass {
    if var pass = recorded {
      for record in records { if let exchange = Self.exchange(record) { try? pass.collect(exchange) } }
      return pass
    }
    // The requests are scanned without the lock, so that other callers do not wait.
    var scanner = RedactionPass(CassetteRedaction())
    while true {
      let known = state.withLock { state in
        if state.seen.count > Self.most { state = State() }
        return state.seen
      }
      let new = records.filter { !known.contains($0.entry.number) }.map { record in
        (number: record.entry.number, readings: Self.exchange(record).flatMap { try? scanner.scan($0) })
      }
      let pass: RedactionPass? = state.withLock { state in
        for (number, readings) in new where state.seen.insert(number).inserted {
          if let readings { state.pass.collect(readings) }
        }
        // Another caller may have discarded the state.
        return records.allSatisfy { state.seen.contains($0.entry.number) } ? state.pass : nil
      }
      if let pass { return pass }
    }
  }

  private static func exchange(_ record: JournalRecord) -> Interaction? {
    record.request.map { Interaction(shown: $0, record.entry.body) }
  }
}

/// A formatter of requests in the journal, which redacts them like recordings unless secrets are shown.
struct JournalPrinter {
  private let server: any ControlledServer
  private var secrets: RedactionPass

  /// Creates a formatter that redacts a secret found in one request in all of them.
  init(_ api: ControlAPI, knowing records: [JournalRecord]) {
    server = api.server
    secrets =
      server.showsSecrets ? RedactionPass(CassetteRedaction()) : api.secrets.named(by: records, server.redaction)
  }

  /// Returns a request as it may be shown.
  mutating func shown(_ record: JournalRecord) -> Interaction? {
    guard let request = record.request else { return nil }
    let interaction = Interaction(shown: request, record.entry.body)
    return server.showsSecrets ? interaction : try? secrets.redacting(interaction)
  }

  /// Returns an exchange as it may be shown.
  ///
  /// Its secrets are collected first, since a hand-written cassette may add some.
  mutating func shown(_ exchange: Interaction) -> Interaction? {
    guard !server.showsSecrets else { return exchange }
    try? secrets.collect(exchange)
    return try? secrets.redacting(exchange)
  }

  /// Returns a message about requests as it may be shown.
  mutating func masking(_ text: String) -> String { server.showsSecrets ? text : secrets.masking(text) }

  /// Writes the members of a request.
  mutating func describe(_ record: JournalRecord, _ item: inout JSONWriter) {
    let entry = record.entry
    let request = shown(record)
    item.member("number", Int(clamping: entry.number))
    item.member("at", Timestamp.format(nanoseconds: entry.at))
    item.member("method", request?.method.rawValue)
    item.member("url", request.map { masked(url: $0.url) })
    if !record.session.isEmpty { item.member("session", record.session) }
    if entry.status > 0 { item.member("status", entry.status) }
    item.member("outcome", record.outcome)
    switch entry.outcome {
    case .played(let number, let derived, let approximate, let after):
      let table = server.table(entry.table)
      let recording = table.flatMap { $0.entries.indices.contains(number) ? $0.entries[number] : nil }
      item.member("recording", recording.map { masking($0.interaction.id) })
      item.member("cassette", recording?.cassette)
      item.member("derived", derived)
      item.member("approximate", approximate)
      if let table, let after, table.entries.indices.contains(after) {
        item.member("after", masking(table.entries[after].interaction.id))
      }
    case .stub(let id, let derived, let approximate):
      item.member("recording", id)
      item.member("cassette", StubCalls.cassette)
      item.member("derived", derived)
      item.member("approximate", approximate)
    case .derived(let how, let approximate):
      item.member("derived", how)
      item.member("approximate", approximate)
    case .refused(let words): item.member("reason", masking(words))
    case .specified(let operation): item.member("source", "spec \(operation)")
    case .recorded, .miss: break
    }
    let broken = contract(record)
    if !broken.isEmpty { item.member("contract", broken) }
    item.member("sentBytes", entry.sent)
    item.member("duration", Double(entry.nanoseconds / 1_000) / 1e6)
    if entry.isDisconnected { item.member("disconnected", true) }
    guard let request else { return }
    item.array("headers") { headers in
      for field in request.requestHeaders {
        headers.array { pair in
          pair.element(field.name)
          pair.element(server.showsSecrets ? field.value : SecretNames.masked(field: field.name, value: field.value))
        }
      }
    }
    describeBody(of: request, record, &item)
  }

  /// Returns the violations of the server's contract in an exchange.
  private mutating func contract(_ record: JournalRecord) -> [String] {
    guard let request = record.request, record.isWhole else { return [] }
    var recording: Interaction?
    switch record.entry.outcome {
    case .played(let number, derived: nil, _, _):
      recording = server.table(record.entry.table).flatMap { table in
        table.entries.indices.contains(number) ? table.entries[number].interaction : nil
      }
    case .played, .stub, .specified: break
    case .derived, .recorded, .miss, .refused: return []
    }
    return server.breaches(of: request, answeredBy: recording).map { masking($0) }
  }

  private func describeBody(of request: Interaction, _ record: JournalRecord, _ item: inout JSONWriter) {
    guard record.entry.bodyLength > 0 else { return }
    item.member("bodyBytes", record.entry.bodyLength)
    // A truncated body may end within a character, which is removed.
    let body = (try? request.requestBody?.bytes()) ?? []
    if var text = String(validUTF8: record.isWhole ? body[...] : Self.withoutCutCharacter(body)) {
      let type = request.requestHeaders["Content-Type"]
      if !record.isWhole, !server.showsSecrets {
        // The last word of a truncated body may be the start of a secret. Shorter words reveal little, and longer ones
        // are not secrets.
        let word = text.suffix(4_097).reversed().prefix { !$0.isWhitespace && !"\"'<>&,;:()[]{}".contains($0) }.count
        if (9...4_096).contains(word) { text.removeLast(word) }
      }
      item.member("body", server.showsSecrets ? text : SecretNames.masked(body: text, contentType: type))
    } else {
      item.member("body", nil)
    }
    item.member("bodyIsCut", !record.isWhole)
  }

  private func masked(url: String) -> String { server.showsSecrets ? url : SecretNames.masked(url: url) }

  private static func withoutCutCharacter(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    guard let start = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return bytes[...] }
    // The number of leading one bits in the first byte is the length of the character (RFC 3629 §3).
    let length = max(1, (~bytes[start]).leadingZeroBitCount)
    return bytes.count - start < length ? bytes[..<start] : bytes[...]
  }
}
