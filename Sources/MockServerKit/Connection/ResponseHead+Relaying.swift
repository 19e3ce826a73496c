internal import CassetteHTTP
internal import MockServerWire

extension ResponseParser.Event {
  /// The head, if the event is the head of a final response; nil otherwise.
  var finalHead: ResponseHead? { if case .head(let head, _) = self { head } else { nil } }
}

/// Serialization of an origin's head for the client.
extension ResponseHead {
  /// The complete head; an interim response needs no changes.
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
