internal import CassetteHTTP
internal import CassetteMatching
internal import CassettePlayback
internal import CassetteSecrets
internal import Cassettes

/// An answer as it was noted; its words are made when they are asked for.
package struct NotedAnswer {
  let note: EventRing.Note
  let detail: EventRing.Detail?
  /// The table that the number of its recording belongs to.
  let table: RecordingTable?
  /// Method and target of the request, as they were sent, and the session.
  let text: ArraySlice<UInt8>
  /// Takes out of texts what is secret here.
  let mask: EventMask

  /// Method and target, without a space between them.
  var request: ArraySlice<UInt8> { text.prefix(Int(note.methodLength) + Int(note.targetLength)) }

  var method: String { String(decoding: text.prefix(Int(note.methodLength)), as: UTF8.self) }

  /// The name that the client gave its session: a token, where a gateway made it.
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

  /// The answer as an event.
  package var event: MockServerEvent { MockServerEvent(.answer(answer), at: note.at) }

  /// The answer for those who read events.
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

/// The secrets of one server, beyond those that a text shows by itself.
struct EventMask: Sendable {
  /// The secrets that are sent in place of aliases, by their numbers.
  var secrets: [Int: String] = [:]
  /// Takes out what a recorder knows, of texts that are about a request.
  var recorded: (@Sendable ([String], HTTPRequest?) -> [String])?

  /// A text without the secrets that the server was given.
  func hiding(_ text: String) -> String { secrets.isEmpty ? text : StandIns.hiding(text, secrets) }

  /// Texts with aliases and masks in the place of secrets; what is in a request that was not recorded is masked, too.
  func masking(_ texts: [String], _ request: HTTPRequest?) -> [String] {
    let hidden = texts.map(hiding)
    return recorded?(hidden, request) ?? hidden
  }
}
