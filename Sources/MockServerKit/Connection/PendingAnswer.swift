internal import CassetteHTTP
internal import CassettePlayback
internal import MockServerControl
internal import MockServerSockets

/// An answer of the control API that waits for something: its loop asks now and then, and no thread waits.
final class PendingAnswer {
  private let control: ControlPending
  private let form: AnswerForm
  private let responder: Responder

  init(_ control: ControlPending, _ form: AnswerForm, of responder: Responder) {
    (self.control, self.form, self.responder) = (control, form, responder)
  }

  /// How often it is asked, in seconds.
  var interval: Double { control.interval }

  /// Appends what there is of the answer.
  ///
  /// - Returns: What the connection does then; nil while it waits.
  func proceed(to output: inout Output) -> NextAction? {
    let step = control.next(at: responder.isStopping ? .max : Platform.monotonicNanoseconds())
    var isOver = responder.isStopping
    switch step {
    case .response(let response): return responder.write(response, form, &output)
    case .waits: break
    case .part(let bytes):
      if form.allowsChunks { output.append("\(String(bytes.count, radix: 16))\r\n") }
      output.append(bytes)
      if form.allowsChunks { output.append("\r\n") }
    case .ends: isOver = true
    }
    guard isOver else { return nil }
    if form.allowsChunks, control.head != nil { output.append("0\r\n\r\n") }
    return .close
  }
}

extension Responder {
  /// Appends the answer to a request for the control API, or waits for it.
  func control(_ request: HTTPRequest, _ api: ControlAPI, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    switch api.respond(to: request) {
    case .response(let response): return write(response, form, &output)
    case .pending(let pending):
      if let head = pending.head {
        // Its length is not known: chunks, or the end of the connection, end it (RFC 9112 §6.3).
        let played = PlayedResponse(
          status: head.status, reason: nil, headers: head.headers, body: .pieces([], breaksOff: false))
        var bytes = AnswerWriter.headWithoutFraming(played, date: date)
        if form.allowsChunks { ResponseSerializer.appendField("Transfer-Encoding", "chunked", to: &bytes) }
        output.append(bytes + AnswerWriter.connectionClose + AnswerWriter.lineEnd)
        if form.isHead { return .close }
      }
      return .stream(PieceStream(PendingAnswer(pending, form, of: self)))
    }
  }
}
