internal import HTTP
internal import JSONText

extension SecretNames {
  /// A body's text as it may be shown: values of secret members or fields are taken out, even of broken JSON.
  package static func masked(body: String, contentType: String?) -> String {
    let type = contentType?.lowercased() ?? ""
    if type.contains("x-www-form-urlencoded") { return masked(form: body) }
    if type.hasPrefix("multipart/") { return maskedParts(body) }
    return maskedMembers(body)
  }

  /// Hides the content of parts that have secret names, whatever the boundary is.
  private static func maskedParts(_ body: String) -> String {
    var shown: [Substring] = []
    var hides = false
    var inContent = false
    for line in body.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.hasPrefix("--") { (hides, inContent) = (false, false) }
      if inContent, hides {
        if shown.last != mask[...] { shown.append(mask[...]) }
        continue
      }
      if !inContent, line.isEmpty { inContent = true }
      if !inContent, let name = partName(line), isParameter(name) { hides = true }
      shown.append(line)
    }
    return shown.joined(separator: "\r\n")
  }

  /// The name in `Content-Disposition: form-data; name="password"`.
  private static func partName(_ line: Substring) -> Substring? {
    guard line.lowercased().hasPrefix("content-disposition:"), let start = line.lowercased().firstRange(of: "name=")
    else { return nil }
    let offset = line.lowercased().distance(from: line.lowercased().startIndex, to: start.upperBound)
    return line.dropFirst(offset).drop { $0 == "\"" }.prefix { $0 != "\"" && $0 != ";" }
  }

  /// Looks for `"name" : value` and nothing else, so that a body that is cut or broken is masked too.
  ///
  /// Below a secret name every value is hidden, however deep.
  private static func maskedMembers(_ text: String) -> String {
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var index = 0
    /// The next value belongs to a secret name.
    var hidesNext = false
    /// How many brackets are open since such a value began.
    var depth = 0
    let masked = Array("\"\(mask)\"".utf8)
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        let end = endOfString(bytes, from: index)
        if let colon = colon(in: bytes, after: end) {
          // A name: it is shown, and may be one of a secret.
          if depth == 0 { hidesNext = isParameter(name(bytes[index..<end])) }
          shown += bytes[index...colon]
          index = colon + 1
          continue
        }
        shown += hidesNext || depth > 0 ? masked[...] : bytes[index..<end]
        index = end
      } else if hidesNext || depth > 0, !isSeparator(byte) {
        while index < bytes.count, !isSeparator(bytes[index]) { index += 1 }
        shown += masked
      } else {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          if hidesNext || depth > 0 { depth += 1 }
          hidesNext = false
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth = max(0, depth - 1)
          hidesNext = false
        case UInt8(ascii: ","): hidesNext = false
        default: break
        }
        shown.append(byte)
        index += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// The text of a name, which may be written with escapes.
  private static func name(_ token: ArraySlice<UInt8>) -> String {
    let content = Array(token.dropFirst().dropLast())
    return JSONString.decode(content.span) ?? String(decoding: content, as: UTF8.self)
  }

  private static func colon(in bytes: [UInt8], after end: Int) -> Int? {
    var next = end
    while next < bytes.count, isSpace(bytes[next]) { next += 1 }
    return next < bytes.count && bytes[next] == UInt8(ascii: ":") ? next : nil
  }

  private static func endOfString(_ bytes: [UInt8], from quote: Int) -> Int {
    var index = quote + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    isSpace(byte) || "\",:{}[]".utf8.contains(byte)
  }
}
