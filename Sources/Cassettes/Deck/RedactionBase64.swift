/// Base64 in the middle of other text: either alphabet, with or without padding (RFC 4648 §4 and §5).
enum RedactionBase64 {
  /// The shortest text that can hold the shortest secret.
  static let shortest = 8

  /// Calls back with each run of characters of base64, padding included.
  static func eachRun(in bytes: [UInt8], _ use: (Range<Int>) -> Void) {
    var at = 0
    while at < bytes.count {
      guard value(bytes[at]) != nil else {
        at += 1
        continue
      }
      let start = at
      while at < bytes.count, value(bytes[at]) != nil { at += 1 }
      var end = at
      while end < bytes.count, end - at < 2, bytes[end] == UInt8(ascii: "=") { end += 1 }
      if at - start >= shortest { use(start..<end) }
      at = end
    }
  }

  /// The bytes that whole characters give, in whichever alphabet; nil when there are others.
  static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      guard character != UInt8(ascii: "=") else { break }
      guard let value = value(character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }

  /// Base64 in the alphabet and with the padding of the text it replaces.
  static func encode(_ bytes: [UInt8], like text: ArraySlice<UInt8>) -> [UInt8] {
    var encoded = BodyBase64.encode(bytes)
    let isForURLs = text.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    if isForURLs {
      for index in encoded.indices {
        if encoded[index] == UInt8(ascii: "+") { encoded[index] = UInt8(ascii: "-") }
        if encoded[index] == UInt8(ascii: "/") { encoded[index] = UInt8(ascii: "_") }
      }
    }
    let isPadded = text.last == UInt8(ascii: "=") || text.count % 4 == 0 && !isForURLs
    if !isPadded { while encoded.last == UInt8(ascii: "=") { encoded.removeLast() } }
    return encoded
  }

  @inline(__always)
  private static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
