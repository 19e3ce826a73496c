/// A stream of server-sent events (WHATWG HTML §9.2).
enum EventStream {
  /// Returns the offset after the last complete event, which ends with a blank line.
  static func wholeEvents(in bytes: [UInt8]) -> Int {
    var end = bytes.count
    while end > 0 {
      // A line ends with LF, CR or both (§9.2.5).
      let start = end - lineEnd(in: bytes, before: end)
      if start < end, lineEnd(in: bytes, before: start) > 0 { return end }
      end = start < end ? start : end - 1
    }
    return 0
  }

  private static func lineEnd(in bytes: [UInt8], before end: Int) -> Int {
    guard end > 0 else { return 0 }
    switch bytes[end - 1] {
    case 0x0d: return 1
    case 0x0a: return end > 1 && bytes[end - 2] == 0x0d ? 2 : 1
    default: return 0
    }
  }
}
