internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// The body of a request or response, as far as the HAR contains it.
enum HARBody {
  /// The bytes, possibly none; `isCoded` is true if they are still encoded as `Content-Encoding` says.
  case known([UInt8], isCoded: Bool = false)
  /// The HAR does not contain the body, and does not say that it was empty.
  case notCaptured(String)

  /// The members that describe a body, and the header fields of its message.
  struct Source {
    /// `content` or `postData`.
    var member: SourceValue?
    var bodySize: Int?
    var fields: [(String, String)]
    /// `response` or `request`.
    var side: String
  }

  /// Reads the content of a response.
  static func content(
    of response: SourceValue, _ fields: [(String, String)], _ method: String, _ status: Int, _ notes: inout ImportNotes
  ) throws(Unusable) -> HARBody {
    let source = Source(
      member: response["content"], bodySize: response["bodySize"]?.integer, fields: fields, side: "response")
    if let read = try text(source, &notes) { return read }
    if hasNone(method, status) { return .known([]) }
    let (size, text) = (source.member?["size"]?.integer, source.member?["text"])
    let shown = "content.size \(size.map(String.init) ?? "missing"), \(text == nil ? "no text" : "an empty text")"
    if let size, size > 0 { return .notCaptured(shown) }
    if let sent = source.sentBytes { return .notCaptured("\(shown), but \(sent) bytes were sent") }
    // An empty text, a size of 0 and an empty message all mean that there was no content.
    if text != nil || size == 0 || source.isEmptyMessage { return .known([]) }
    return .notCaptured(shown)
  }

  /// Reads the body of a request.
  static func postData(
    of request: SourceValue, _ fields: [(String, String)], _ notes: inout ImportNotes
  ) throws(Unusable) -> HARBody {
    let source = Source(
      member: request["postData"], bodySize: request["bodySize"]?.integer, fields: fields, side: "request")
    if let read = try text(source, &notes) { return read }
    if let data = source.member, let form = form(data, fields, &notes) { return form }
    return source.sentBytes.map { .notCaptured("\($0) bytes were sent") } ?? .known([])
  }

  /// Returns true if a response to this method, or with this status, never has content (RFC 9110 §6.4.1).
  static func hasNone(_ method: String, _ status: Int) -> Bool {
    ["HEAD", "CONNECT"].contains(method.uppercased()) || status == 204 || status == 304
  }

  /// Reads a body from its text or its file; returns nil if both are missing or empty.
  private static func text(_ source: Source, _ notes: inout ImportNotes) throws(Unusable) -> HARBody? {
    guard let member = source.member else { return nil }
    guard member.isObject else {
      // Some tools write the text directly, without an object around it.
      return member.isString && !member.stringBytes.isEmpty ? .known(member.stringBytes) : nil
    }
    guard let text = member["text"] else {
      guard let name = member["_file"]?.string else { return nil }
      do {
        return .known(try CassetteFile.bodyBytes(of: name, in: Folder.parent(of: notes.place.file)))
      } catch {
        throw Unusable("_file: \(error.message)")
      }
    }
    guard text.isString else {
      notes.mention("bodies saved as JSON values: imported without white space", at: text)
      return .known(text.compact)
    }
    let bytes = text.stringBytes
    let encoding = ((member["encoding"] ?? member["_encoding"])?.string ?? "").lowercased()
    guard !bytes.isEmpty else { return nil }
    switch encoding {
    case "base64":
      guard let decoded = pieces(bytes, base64) else {
        throw Unusable("the base64 of the \(source.side)'s body is invalid")
      }
      return decoded
    case "hex":
      guard let decoded = pieces(bytes, hex) else {
        throw Unusable("the hexadecimal text of the \(source.side)'s body is invalid")
      }
      return decoded
    default: break
    }
    // PollyJS before version 5 does not name the encoding: encoded bodies in pieces and binary bodies are hexadecimal.
    if member["_isBinary"]?.isTrue == true || source.isCoded && isList(bytes) {
      if let decoded = pieces(bytes, hex), member["_isBinary"]?.isTrue == true || source.decodes(decoded) {
        return decoded
      }
    }
    if !["", "utf8", "utf-8", "text", "identity"].contains(encoding) {
      notes.leave("bodies in the unknown encoding \(encoding.prefix(40)), imported as text", in: member)
    }
    let charset = (Exchange.mediaType(of: source.fields) ?? member["mimeType"]?.string.flatMap(MediaType.init))?.charset
    guard let sent = Charset.bytes(bytes, charset) else {
      notes.leave("text that cannot be encoded in the charset \(charset?.prefix(40) ?? ""), kept as UTF-8", in: member)
      return .known(bytes)
    }
    return .known(sent)
  }

  // MARK: Pieces

  /// Decodes a body from one string, or from the JSON array of strings that PollyJS writes for an encoded body.
  private static func pieces(_ text: [UInt8], _ decode: ([UInt8]) -> [UInt8]?) -> HARBody? {
    guard isList(text) else { return decode(text).map { .known($0) } }
    guard let list = JSONValue(text), list.isArray else { return nil }
    var bytes: [UInt8] = []
    for piece in list.elements {
      guard piece.isString, let decoded = decode(piece.stringBytes) else { return nil }
      bytes += decoded
    }
    return .known(bytes, isCoded: true)
  }

  /// Returns true if a text begins as a JSON array.
  private static func isList(_ text: [UInt8]) -> Bool { text.first { $0 > 0x20 } == UInt8(ascii: "[") }

  /// Decodes base64 as Node's `Buffer` does: with either alphabet, and with padding or without.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    if let bytes = BodyBase64.decode(lines: text) { return bytes }
    var plain = text.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      case UInt8(ascii: "="), 0x20, 0x09, 0x0a, 0x0d: nil
      default: byte
      }
    }
    guard plain.count % 4 != 1 else { return nil }
    while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
    return BodyBase64.decode(lines: plain)
  }

  private static func hex(_ text: [UInt8]) -> [UInt8]? { Exchange.bytes(hexadecimal: text) }

  // MARK: Forms

  /// Builds a form body from its saved parameters; returns nil if it has no parameters.
  private static func form(
    _ data: SourceValue, _ fields: [(String, String)], _ notes: inout ImportNotes
  ) -> HARBody? {
    let params = data["params"]?.elements ?? []
    guard !params.isEmpty else { return nil }
    let type = data["mimeType"]?.string ?? ""
    guard type.isEmpty || type.lowercased().contains("x-www-form-urlencoded") else {
      let type = Exchange.mediaType(of: fields) ?? MediaType(type)
      return multipart(params, type).map { .known($0) } ?? .notCaptured("only the parameters were saved")
    }
    for file in params.compactMap({ $0["fileName"] }) { notes.leave("file contents of form parameters", at: file) }
    return .known(Exchange.form(params.map { ($0["name"]?.scalar ?? "", $0["value"]?.scalar ?? "") }))
  }

  /// Builds a multipart body from its saved parameters; returns nil if a file or the boundary is missing.
  private static func multipart(_ params: [SourceValue], _ type: MediaType?) -> [UInt8]? {
    guard type?.type == "multipart", let boundary = type?.parameter("boundary") else { return nil }
    var text = ""
    for param in params {
      guard param["fileName"] == nil, let name = param["name"]?.scalar, let value = param["value"]?.scalar else {
        return nil
      }
      let kind = param["contentType"]?.string.map { $0.isEmpty ? "" : "\r\nContent-Type: \($0)" } ?? ""
      let quoted = name.replacing("\"", with: "%22").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
      text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted)\"\(kind)\r\n\r\n\(value)\r\n"
    }
    return Array("\(text)--\(boundary)--\r\n".utf8)
  }
}

extension HARBody.Source {
  private func value(_ name: String) -> String? { fields.first { $0.0.lowercased() == name }?.1 }

  /// True if the header fields name a content coding.
  fileprivate var isCoded: Bool {
    value("content-encoding").map { !$0.isEmpty && $0.lowercased() != "identity" } ?? false
  }

  private var contentLength: Int? { value("content-length").flatMap { Int($0) } }

  /// True if the message is known to have been empty.
  fileprivate var isEmptyMessage: Bool { bodySize == 0 || contentLength == 0 }

  /// The number of bytes sent; nil if a content coding or chunked framing alone could account for them.
  ///
  /// Some tools count the header fields in `bodySize`, so that a `Content-Length` of 0 takes precedence.
  fileprivate var sentBytes: Int? {
    if contentLength == 0 { return nil }
    let isFramed = isCoded || value("transfer-encoding") != nil
    let most = max(bodySize ?? 0, contentLength ?? 0)
    return most > (isFramed ? 32 : 0) ? most : nil
  }

  /// Returns true if a body can be decoded with the content coding that the header fields name.
  fileprivate func decodes(_ body: HARBody) -> Bool {
    guard case .known(let bytes, _) = body else { return false }
    var headers = HTTPHeaders()
    for name in ContentCoding.names(in: value("content-encoding") ?? "") { headers.append("Content-Encoding", name) }
    return bytes.isEmpty || Exchange.decoded(bytes, &headers) != bytes
  }
}
