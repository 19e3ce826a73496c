internal import CassetteHTTP
internal import CassetteMatching
internal import CassettePlayback
internal import CassetteSecrets
internal import Cassettes

/// A response as recorded in a ring.
///
/// Its strings are created only when needed.
package struct NotedAnswer {
  let note: EventRing.Note
  let detail: EventRing.Detail?
  /// The table that the note's entry number refers to.
  let table: RecordingTable?
  /// The method and target of the request as received, and the session.
  let text: ArraySlice<UInt8>
  /// The mask for secrets in strings.
  let mask: EventMask

  /// The method and target, without a space between them.
  var request: ArraySlice<UInt8> { text.prefix(Int(note.methodLength) + Int(note.targetLength)) }

  var method: String { String(decoding: text.prefix(Int(note.methodLength)), as: UTF8.self) }

  /// The name that the client gave its session, which is a secret token if a gateway created it.
  var session: String {
    guard note.sessionLength > 0 else { return "" }
    let name = String(decoding: text.suffix(Int(note.sessionLength)), as: UTF8.self)
    return mask.hiding(SecretMask.masked(name, .text))
  }

  private var recording: (id: String, cassette: String)? {
    guard let table, table.entries.indices.contains(Int(note.entry)) else { return detail?.recording }
    let entry = table.entries[Int(note.entry)]
    return (entry.interaction.id, entry.cassette)
  }

  /// The response as an event.
  package var event: MockServerEvent { MockServerEvent(.answer(answer), at: note.at) }

  /// The public description of the response.
  var answer: MockServerEvent.Answer {
    let target = String(decoding: request.dropFirst(Int(note.methodLength)), as: UTF8.self)
    let texts = mask.masking(
      [SecretNames.masked(url: target), session, detail?.words ?? "", detail?.approximation ?? ""], detail?.request)
    return MockServerEvent.Answer(
      number: note.number, method: HTTPMethod(method), target: texts[0], session: texts[1],
      status: note.status == 0 ? nil : HTTPStatus(Int(note.status)), sentBytes: note.sent,
      duration: .nanoseconds(note.nanoseconds), outcome: note.outcome, recording: recording?.id,
      cassette: recording?.cassette, approximation: detail?.approximation == nil ? nil : texts[3],
      detail: detail?.words == nil ? nil : texts[2])
  }
}

/// The secrets of a server that cannot be recognised by their form.
struct EventMask: Sendable {
  /// The real values that are sent instead of aliases, keyed by alias number.
  var secrets: [Int: String] = [:]
  /// A function that masks the secrets known to a recorder in strings about a request.
  var recorded: (@Sendable ([String], HTTPRequest?) -> [String])?

  /// Returns a string with the server's secrets replaced by their aliases.
  func hiding(_ text: String) -> String { secrets.isEmpty ? text : StandIns.hiding(text, secrets) }

  /// Returns strings with aliases and masks instead of secrets, including those of a request that was not recorded.
  func masking(_ texts: [String], _ request: HTTPRequest?) -> [String] {
    let hidden = texts.map(hiding)
    return recorded?(hidden, request) ?? hidden
  }
}
