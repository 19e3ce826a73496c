internal import CassetteHTTP

/// An origin's head as bytes for the client.
extension ResponseHead {
  /// All of it: of an interim response nothing is derived.
  var relayed: [UInt8] {
    var bytes: [UInt8] = []
    appendStatusLine(to: &bytes)
    for field in headers { append(field, to: &bytes) }
    return bytes + AnswerWriter.lineEnd
  }

  func appendStatusLine(to bytes: inout [UInt8]) {
    ResponseSerializer.appendStatusLine(status: status, reason: reason, to: &bytes, isLatin1: isReasonLatin1)
  }

  /// Appends a field as it came, also one that was no UTF-8 (RFC 9110 §5.5).
  func append(_ field: HTTPHeaders.Field, to bytes: inout [UInt8]) {
    ResponseSerializer.appendField(field, to: &bytes)
  }
}
