import Cassettes

/// Finds what is long, random, and stands beside a word that says it may be a secret.
enum RandomValue {
  private static let words = [
    "secret", "token", "passw", "credential", "apikey", "accesskey", "privatekey", "secretkey", "signingkey", "bearer",
    "sessionid", "authkey", "clientkey", "authorization",
  ]
  /// Random letters and digits have between five and six bits each; words and paths have fewer than four.
  private static let leastBits = 4.0
  private static let leastLength = 20

  /// The first name in a line that stands before such a value: `"name": "value"`, `NAME=value`.
  static func name(in line: [UInt8], _ redaction: Redaction) -> String? {
    var at = 0
    while at < line.count {
      guard isName(line[at]) else {
        at += 1
        continue
      }
      let start = at
      while at < line.count, isName(line[at]) { at += 1 }
      let name = line[start..<at]
      guard name.count >= 5, name.count <= 64 else { continue }
      let folded = String(decoding: name.filter { $0 != 0x2d && $0 != 0x5f }, as: UTF8.self).lowercased()
      guard words.contains(where: folded.contains) else { continue }
      var next = at
      var separators = 0
      while next < line.count, isBetween(line[next]), next - at < 8 {
        if line[next] == UInt8(ascii: ":") || line[next] == UInt8(ascii: "=") { separators += 1 }
        next += 1
      }
      // In YAML a value stands on a line of its own: `- Bearer …`.
      guard separators == 1 || separators == 0 && folded == "bearer" else { continue }
      // `Authorization: Bearer …`: what comes after the scheme.
      let word = line[next...].prefix { $0 != 0x20 }
      if word.count < 8, next + word.count < line.count,
        LeakScanner.schemes.contains(String(decoding: word, as: UTF8.self).lowercased())
      {
        next += word.count + 1
      }
      let value = line[next...].prefix(while: isValue)
      let text = String(decoding: value, as: UTF8.self)
      if value.count >= leastLength, isRandom(value), !redaction.kept.contains(.value(text)) {
        return String(decoding: name, as: UTF8.self)
      }
      at = next
    }
    return nil
  }

  /// Letters and digits mixed, none of them too often.
  static func isRandom(_ value: ArraySlice<UInt8>) -> Bool {
    var counts = [Int](repeating: 0, count: 256)
    for byte in value { counts[Int(byte)] += 1 }
    let digits = (0x30...0x39).reduce(0) { $0 + counts[$1] }
    guard digits > 0, digits < value.count else { return false }
    let total = Double(value.count)
    var bits = 0.0
    for count in counts where count > 0 { bits -= Double(count) / total * logarithm(Double(count) / total) }
    // Hexadecimal has four bits at most.
    let isHex = value.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
    return bits >= (isHex ? 3.2 : leastBits)
  }

  /// The logarithm to the base of two of a number between zero and one.
  private static func logarithm(_ value: Double) -> Double {
    var (exponent, rest) = (0.0, value)
    while rest < 1 {
      rest *= 2
      exponent -= 1
    }
    // Now between one and two: bits after the point, one by one.
    var (fraction, step) = (0.0, 0.5)
    for _ in 0..<20 {
      rest *= rest
      if rest >= 2 {
        rest /= 2
        fraction += step
      }
      step /= 2
    }
    return exponent + fraction
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func isBetween(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"), UInt8(ascii: ":"), UInt8(ascii: "="):
      true
    default: false
    }
  }

  private static func isValue(_ byte: UInt8) -> Bool {
    isName(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")
  }
}
