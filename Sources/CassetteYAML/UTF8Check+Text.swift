internal import CassetteJSON
internal import CassetteSystem

extension UTF8Check {
  /// Returns the offset of the first invalid byte, or nil if all bytes are valid UTF-8.
  static func firstInvalid(in bytes: Span<UInt8>) -> Int? {
    var at = 0
    while at < bytes.count {
      if at + 8 <= bytes.count, bytes.word(at) & 0x8080_8080_8080_8080 == 0 {
        at += 8
        continue
      }
      let length = sequenceLength(in: bytes, at: at)
      guard length > 0 else { return at }
      at += length
    }
    return nil
  }
}
