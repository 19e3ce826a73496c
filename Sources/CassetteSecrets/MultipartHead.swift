internal import CassetteHTTP
internal import CassetteSystem

/// The head of a part of `multipart/form-data`.
enum MultipartHead {
  /// Returns the boundary found in a multipart body, for a body without a `Content-Type` that specifies the boundary.
  static func boundary(in bytes: [UInt8]) -> String? {
    guard let place = bytes.firstIndex(of: Array("form-data".utf8)) else { return nil }
    // Finds the line that starts with two dashes, shortly before `form-data`.
    for start in stride(from: place, through: max(0, place - 512), by: -1)
    where bytes[start...].starts(with: [0x2d, 0x2d]) && (start == 0 || bytes[start - 1] == 0x0a) {
      let line = bytes[(start + 2)...].prefix { $0 != 0x0d && $0 != 0x0a }
      return line.isEmpty || line.count > 70 ? nil : String(decoding: line, as: UTF8.self)
    }
    return nil
  }

  /// Returns the name in `Content-Disposition: form-data; name="password"`, with or without quotes.
  static func name(_ head: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: head, as: UTF8.self)
    guard let start = text.firstRange(of: "form-data")?.lowerBound else { return nil }
    // The parameters of a disposition have the syntax of those of a media type (RFC 6266 §4.1).
    let disposition = MediaType("a/" + text[start...].prefix { !$0.isNewline })
    return disposition?.parameter("name")
      ?? disposition?.parameter("name*").flatMap { $0.split(separator: "'").last.map(String.init) }
  }
}
