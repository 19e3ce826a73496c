internal import CassetteSystem

/// The head of a part of `multipart/form-data`.
package enum MultipartHead {
  /// Returns the boundary of parts that nothing but their own lines tells.
  static func boundary(in bytes: [UInt8]) -> String? {
    guard let place = bytes.firstIndex(of: Array("form-data".utf8)) else { return nil }
    // The line that begins with two dashes, a few before.
    for start in stride(from: place, through: max(0, place - 512), by: -1)
    where bytes[start...].starts(with: [0x2d, 0x2d]) && (start == 0 || bytes[start - 1] == 0x0a) {
      let line = bytes[(start + 2)...].prefix { $0 != 0x0d && $0 != 0x0a }
      return line.isEmpty || line.count > 70 ? nil : String(decoding: line, as: UTF8.self)
    }
    return nil
  }

  /// The name in `Content-Disposition: form-data; name="password"`, with or without quotes.
  package static func name(_ head: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: head, as: UTF8.self)
    var rest = text[...]
    while let found = rest.firstRange(of: "name") {
      let before = text[..<found.lowerBound].last
      rest = rest[found.upperBound...]
      // `filename=` is another, `name*=` is coded (RFC 5987).
      guard before == " " || before == ";" || before == "\t" else { continue }
      var value = rest.drop { $0 == "*" || $0 == " " }
      guard value.first == "=" else { continue }
      value = value.dropFirst().drop { $0 == " " }
      if value.first == "\"" { return String(value.dropFirst().prefix { $0 != "\"" }) }
      let token = value.prefix { !$0.isWhitespace && $0 != ";" }
      return String(token.split(separator: "'").last ?? token)
    }
    return nil
  }
}
