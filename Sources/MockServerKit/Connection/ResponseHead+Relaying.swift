internal import CassetteHTTP
internal import MockServerWire

extension ResponseParser.Event {
  /// The head, if the event is the head of a final response; nil otherwise.
  var finalHead: ResponseHead? { if case .head(let head, _) = self { head } else { nil } }
}

/// An origin's head as bytes for the client.
extension ResponseHead {
  /// All of it: of an interim response nothing is derived.
  var relayed: [UInt8] {
    var bytes: [UInt8] = []
    appendStatusLine(to: &bytes)
    for field in headers { ResponseSerializer.appendField(field, to: &bytes) }
    return bytes + AnswerWriter.lineEnd
  }

  func appendStatusLine(to bytes: inout [UInt8]) {
    ResponseSerializer.appendStatusLine(status: status, reason: reason, to: &bytes, isLatin1: isReasonLatin1)
  }
}
