internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import MockServerControl
internal import MockServerWire

/// Responses of the server itself, including those to invalid requests.
extension Responder {
  func refuse(_ error: ParseError, isHead: Bool, into output: inout Output) {
    let text = Array("\(error)\n".utf8)
    let response = HTTPResponse(
      status: error.status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: text)
    _ = write(response, AnswerForm(persists: false, isHead: isHead), &output)
    var note = EventRing.Note()
    (note.number, note.at, note.nanoseconds) = (state.deck.countRequest(), now, elapsed)
    (note.status, note.sent) = (Int32(truncatingIfNeeded: error.status.code), text.count)
    let none = [UInt8]()
    keep(note, .refused("\(error)"), none.span, none)
    if tellsOfAnswers { state.feed.note(.refused(error.status), "refused \(error.status.code) \(error)", in: ring) }
  }

  /// Responds to a CORS preflight, without using a recording.
  func answer(
    _ preflight: HTTPResponse, _ request: HTTPRequest, _ form: AnswerForm, _ bytes: Span<UInt8>,
    _ output: inout Output
  ) -> NextAction {
    note(
      state.deck.countRequest(), Outcome(status: preflight.status, journal: .derived("preflight"), kind: .derived),
      bytes, request)
    return write(preflight, form, &output)
  }

  /// Appends a response of the server itself.
  func write(_ response: HTTPResponse, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    AnswerWriter.append(PlayedResponse(response), form, date: date, to: &output)
  }
}
