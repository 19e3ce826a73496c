internal import CassetteSystem

/// Walks over the values of a JSON text, each with the path to it.
package enum JSONScalars {
  /// Calls back with every string, number and word; not at all when the text is not JSON.
  package static func each(in bytes: [UInt8], _ use: (_ path: [JSONPath.Step], _ range: Range<Int>) -> Void) {
    do {
      // Checked first, so that the walk below is safe to recurse.
      try JSONScanner.validate(bytes.span)
      var at = 0
      var path: [JSONPath.Step] = []
      try walk(bytes.span, &at, &path, use)
    } catch {
      // Not JSON.
    }
  }

  private static func walk(
    _ bytes: Span<UInt8>, _ at: inout Int, _ path: inout [JSONPath.Step],
    _ use: (_ path: [JSONPath.Step], _ range: Range<Int>) -> Void
  ) throws(JSONTextError) {
    JSONScanner.skipWhitespace(in: bytes, at: &at)
    let open = bytes[at]
    guard open == UInt8(ascii: "{") || open == UInt8(ascii: "[") else {
      let start = at
      try JSONScanner.skipValue(in: bytes, at: &at)
      return use(path, start..<at)
    }
    at += 1
    var index = 0
    while true {
      JSONScanner.skipWhitespace(in: bytes, at: &at)
      // `{` and `}` differ by two, as `[` and `]` do.
      if bytes[at] == open + 2 { break }
      if bytes[at] == UInt8(ascii: ",") { at += 1 }
      if open == UInt8(ascii: "{") {
        JSONScanner.skipWhitespace(in: bytes, at: &at)
        let name = at + 1
        try JSONScanner.skipString(in: bytes, at: &at)
        let decoded = JSONString.decodeLoosely(bytes.extracting(name..<at - 1))
        try JSONScanner.skipColon(in: bytes, at: &at)
        path.append(.member(String(decoding: decoded, as: UTF8.self)))
      } else {
        path.append(.element(index))
        index += 1
      }
      try walk(bytes, &at, &path, use)
      path.removeLast()
    }
    at += 1
  }
}
