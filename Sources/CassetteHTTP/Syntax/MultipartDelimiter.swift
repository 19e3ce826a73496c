internal import CassetteSystem

/// The delimiter between the parts of a multipart body.
package enum MultipartDelimiter {
  /// Returns the offset of the next delimiter at the start of a line; nil if it is not found (RFC 2046 §5.1.1).
  ///
  /// - `from`: The offset at which the search starts, 0 by default.
  package static func next(_ delimiter: [UInt8], in bytes: [UInt8], from: Int = 0) -> Int? {
    var from = from
    while let at = bytes.firstIndex(of: delimiter, from: from) {
      if at == 0 || bytes[at - 1] == 0x0a { return at }
      from = at + delimiter.count
    }
    return nil
  }
}
