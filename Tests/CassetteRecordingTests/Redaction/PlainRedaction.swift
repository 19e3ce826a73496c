import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

@testable import CassetteSecrets
@testable import CassetteShapes

/// What redaction looks for, byte by byte as its rules say it: slow, and right by looking at it.
enum PlainRedaction {
  /// The bytes, and every way to read them.
  static func readings(of bytes: [UInt8]) -> Set<[UInt8]> {
    var all: Set<[UInt8]> = [bytes]
    var level: Set<[UInt8]> = [bytes]
    for _ in 0..<5 {
      level = Set(level.flatMap { [withoutPercent($0), withoutBackslashes($0)] }).subtracting(all)
      all.formUnion(level)
    }
    return all
  }

  private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    guard bytes.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
    return UInt32(String(decoding: bytes, as: UTF8.self), radix: 16)
  }

  private static func withoutPercent(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: "%"), at + 2 < bytes.count, let value = hexadecimal(bytes[at + 1...at + 2]) {
        output.append(UInt8(value))
        at += 3
      } else {
        output.append(bytes[at])
        at += 1
      }
    }
    return output
  }

  private static func withoutBackslashes(_ bytes: [UInt8]) -> [UInt8] {
    let simple: [UInt8: UInt8] = [
      0x22: 0x22, 0x5c: 0x5c, 0x2f: 0x2f, 0x62: 0x08, 0x66: 0x0c, 0x6e: 0x0a, 0x72: 0x0d, 0x74: 0x09,
    ]
    func unit(_ at: Int) -> UInt32? {
      guard at + 6 <= bytes.count, bytes[at] == 0x5c, bytes[at + 1] == 0x75 else { return nil }
      return hexadecimal(bytes[at + 2..<at + 6])
    }
    var output: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if let first = unit(at) {
        let length = first & 0xfc00 == 0xd800 && unit(at + 6) != nil ? 12 : 6
        output += JSONString.decodeLoosely(Array(bytes[at..<at + length]).span)
        at += length
      } else if bytes[at] == 0x5c, at + 1 < bytes.count, let value = simple[bytes[at + 1]] {
        output.append(value)
        at += 2
      } else {
        output.append(bytes[at])
        at += 1
      }
    }
    return output
  }

  /// The runs of base64, padding included.
  static func runs(in bytes: [UInt8]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var at = 0
    while at < bytes.count {
      let start = at
      while at < bytes.count, isBase64(bytes[at]) { at += 1 }
      let end = at
      while at < bytes.count, at > start, at - end < 2, bytes[at] == UInt8(ascii: "=") { at += 1 }
      if end - start >= 8 { runs.append(start..<at) }
      if at == start { at += 1 }
    }
    return runs
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    Character(Unicode.Scalar(byte)).isASCII
      && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      || "+/-_".utf8.contains(byte)
  }

  /// The bytes of base64, of whole characters.
  static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bits: [UInt8] = []
    for character in text {
      if character == UInt8(ascii: "=") { break }
      let plain = character == UInt8(ascii: "-") ? 0x2b : character == UInt8(ascii: "_") ? 0x2f : character
      let value = alphabet.firstIndex(of: plain) ?? 0
      bits += (0..<6).map { UInt8(value >> (5 - $0) & 1) }
    }
    return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { bits[$0..<$0 + 8].reduce(0) { $0 << 1 | $1 } }
  }

  /// Where patterns stand: from left to right, of those that begin together the longest.
  static func places(of patterns: [[UInt8]], in bytes: [UInt8]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var at = 0
    while at < bytes.count {
      let found = patterns.filter { bytes[at...].starts(with: $0) }.map(\.count).max()
      if let found { places.append(at..<at + found) }
      at += found ?? 1
    }
    return places
  }

  /// The kinds of tokens in every reading, and in its base64 from each character on.
  static func kinds(in bytes: [UInt8]) -> Set<String> {
    var kinds: Set<String> = []
    for reading in readings(of: bytes) {
      kinds.formUnion(plainKinds(in: reading))
      for run in runs(in: reading) where run.count >= 20 {
        for shift in 0..<4 { kinds.formUnion(plainKinds(in: decoded(reading[run].dropFirst(shift)))) }
      }
    }
    return kinds
  }

  private static func plainKinds(in bytes: [UInt8]) -> Set<String> {
    var kinds: Set<String> = []
    _ = bytes.searching { text in
      SecretShapes.eachMatch(in: text, 0..<text.count) { shape, _ in kinds.insert(shape.kind) }
    }
    return kinds
  }

  /// The members with secret names: where their names begin that are followed by a colon.
  static func memberNames(in bytes: [UInt8]) -> [String] {
    var names: [String] = []
    var at = 0
    while at < bytes.count {
      defer { at += 1 }
      guard bytes[at] == UInt8(ascii: "\"") else { continue }
      var end = at + 1
      while end < bytes.count, end - at <= 128, bytes[end] != UInt8(ascii: "\"") {
        end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard end < bytes.count, end - at <= 128, end > at + 1 else { continue }
      var colon = end + 1
      while colon < bytes.count, [0x20, 0x0a, 0x0d, 0x09].contains(bytes[colon]) { colon += 1 }
      guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { continue }
      let name = JSONString.decodeLoosely(Array(bytes[at + 1..<end]).span)
      let text = String(decoding: name, as: UTF8.self)
      if SecretNames.isParameter(text) { names.append(text) }
      at = colon
    }
    return names
  }

  /// The values of parameters with secret names, wherever a text has them.
  static func parameters(in bytes: [UInt8]) -> [Range<Int>] {
    var names: [Range<Int>] = []
    let names128 = Set("_-.%[]+$~:".utf8)
    let marks = Set("?&#;".utf8)
    var at = 0
    while at < bytes.count {
      defer { at += 1 }
      guard marks.contains(bytes[at]) else { continue }
      var end = at + 1
      while end < bytes.count, end - at <= 128,
        isBase64(bytes[end]) && !"/".utf8.contains(bytes[end]) || names128.contains(bytes[end])
      { end += 1 }
      guard end > at + 1, end < bytes.count, bytes[end] == UInt8(ascii: "=") else { continue }
      let name = PercentEncoding.decodeText(bytes[at + 1..<end], plusIsSpace: true)
      let ends = Set(0...0x20).union([0x7f]).union("&#\"'<>`\\;".utf8)
      var value = end + 1
      while value < bytes.count, !ends.contains(bytes[value]) { value += 1 }
      guard value > end + 1, SecretNames.isParameter(name) else { continue }
      names.append(end + 1..<value)
      at = value - 1
    }
    return names
  }
}
