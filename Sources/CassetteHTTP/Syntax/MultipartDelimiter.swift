internal import CassetteSystem

/// The line between the parts of a multipart body.
package enum MultipartDelimiter {
  /// Finds the next delimiter, two dashes and the boundary, which begins a line (RFC 2046 §5.1.1).
  package static func next(_ delimiter: [UInt8], in bytes: [UInt8], from: Int = 0) -> Int? {
    var from = from
    while let at = bytes.firstIndex(of: delimiter, from: from) {
      if at == 0 || bytes[at - 1] == 0x0a { return at }
      from = at + delimiter.count
    }
    return nil
  }
}
