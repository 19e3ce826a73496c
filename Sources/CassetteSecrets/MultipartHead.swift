internal import CassetteSystem

/// The head of a part of `multipart/form-data`.
package enum MultipartHead {
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
  package static func name(_ head: ArraySlice<UInt8>) -> String? {
    let text = String(decoding: head, as: UTF8.self)
    var rest = text[...]
    while let found = rest.firstRange(of: "name") {
      let before = text[..<found.lowerBound].last
      rest = rest[found.upperBound...]
      // `filename=` is a different parameter; `name*=` is encoded (RFC 5987).
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
