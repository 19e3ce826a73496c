internal import CassetteHTTP
internal import MockServerWire

/// Answers that were recorded in a content coding, from prepared bytes.
extension Responder {
  /// Replays in the coding, or without it, as the client takes it.
  func replayCoded(
    _ entry: Int, _ answer: PreparedAnswer, _ head: RequestHead, _ bytes: Span<UInt8>, _ body: [UInt8],
    _ form: AnswerForm, _ output: inout Output
  ) -> NextAction {
    let values = head.values(of: "Accept-Encoding", in: bytes).map { value in
      bytes.extracting(value.range).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
    return send(answer.coded(for: values), entry, head, bytes, body, form, &output)
  }
}

extension PreparedAnswer {
  /// The answer in the coding it was recorded in, or without it, as a client with these `Accept-Encoding` takes it.
  func coded(for accepted: @autoclosure () -> [String]) -> PreparedAnswer {
    guard let coded else { return self }
    let accepted = accepted()
    return !accepted.isEmpty && AcceptedCodings(accepted).prefers(coded.coding) ? coded.answer : self
  }
}
