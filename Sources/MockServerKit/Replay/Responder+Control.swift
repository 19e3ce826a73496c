internal import CassetteHTTP
internal import CassettePlayback
internal import MockServerControl
internal import MockServerSockets
internal import MockServerWire

/// Responses of the control API, some of which are not available at once.
extension Responder {
  /// Appends the response of the control API to a request, or waits for it.
  func control(_ request: HTTPRequest, _ api: ControlAPI, _ form: AnswerForm, _ output: inout Output) -> NextAction {
    switch api.respond(to: request) {
    case .response(let response): return write(response, form, &output)
    case .pending(let pending):
      if let head = pending.head {
        // The length is unknown: chunks, or closing the connection, frame the content (RFC 9112 §6.3).
        let played = PlayedResponse(
          status: head.status, reason: nil, headers: head.headers, body: .pieces([], breaksOff: false))
        var bytes = AnswerWriter.headWithoutFraming(played, date: date)
        if form.allowsChunks { ResponseSerializer.appendField("Transfer-Encoding", "chunked", to: &bytes) }
        output.append(bytes + AnswerWriter.connectionClose + AnswerWriter.lineEnd)
        if form.isHead { return .close }
      }
      return .stream(
        PieceStream(PendingAnswer(every: pending.interval) { self.proceed(pending, form, &$0) }))
    }
  }

  private func proceed(_ pending: ControlPending, _ form: AnswerForm, _ output: inout Output) -> NextAction? {
    var isOver = isStopping
    switch pending.next(at: isStopping ? .max : Platform.monotonicNanoseconds()) {
    case .response(let response): return write(response, form, &output)
    case .waits: break
    case .part(let bytes): output.append(bytes, asChunk: form.allowsChunks)
    case .ends: isOver = true
    }
    guard isOver else { return nil }
    if form.allowsChunks, pending.head != nil { output.appendLastChunk() }
    return .close
  }
}
