public import CassetteHTTP

/// A serializer of response heads.
public enum ResponseSerializer {
  /// Appends the status line, the fields in order, and the empty line that ends the head (RFC 9112 §4).
  ///
  /// The caller is responsible for framing: no field is added or omitted. CR, LF and NUL are replaced with spaces, so
  /// that a value cannot start a new line.
  public static func appendHead(
    status: HTTPStatus, reason: String? = nil, headers: HTTPHeaders, to bytes: inout [UInt8]
  ) {
    appendStatusLine(status: status, reason: reason, to: &bytes)
    for field in headers { appendField(field, to: &bytes) }
    bytes += [ASCII.carriageReturn, ASCII.lineFeed]
  }

  /// Appends a status line such as `HTTP/1.1 200 OK` with its CRLF.
  ///
  /// A status code without three digits is sent as 500.
  package static func appendStatusLine(
    status: HTTPStatus, reason: String? = nil, to bytes: inout [UInt8], isLatin1: Bool = false
  ) {
    let status = (100...999).contains(status.code) ? status : 500
    bytes += "HTTP/1.1 ".utf8
    bytes += String(status.code).utf8
    bytes.append(ASCII.space)
    append(reason ?? status.standardPhrase ?? "", to: &bytes, isLatin1)
    bytes += [ASCII.carriageReturn, ASCII.lineFeed]
  }

  /// Appends a field line with its CRLF.
  ///
  /// - Parameters:
  ///   - name: The field name.
  ///   - value: The field value.
  ///   - bytes: The buffer to which the line is appended.
  ///   - isLatin1: True to encode the value in ISO-8859-1 rather than UTF-8. The default is false.
  package static func appendField(_ name: String, _ value: String, to bytes: inout [UInt8], isLatin1: Bool = false) {
    appendLine(name.utf8, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(ASCII.space)
    append(value, to: &bytes, isLatin1)
    bytes.append(ASCII.carriageReturn)
    bytes.append(ASCII.lineFeed)
  }

  /// Appends a field line in the encoding in which the field was received.
  package static func appendField(_ field: HTTPHeaders.Field, to bytes: inout [UInt8]) {
    appendField(field.name, field.value, to: &bytes, isLatin1: field.isLatin1)
  }

  private static func append(_ text: String, to bytes: inout [UInt8], _ isLatin1: Bool) {
    if isLatin1 { appendLine(ByteText.obsText(text), to: &bytes) } else { appendLine(text.utf8, to: &bytes) }
  }

  private static func appendLine(_ text: some Collection<UInt8>, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += text
    guard bytes[start...].contains(where: isLineEnd) else { return }
    for at in start..<bytes.count where isLineEnd(bytes[at]) { bytes[at] = ASCII.space }
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == ASCII.carriageReturn || byte == ASCII.lineFeed || byte == 0
  }
}
