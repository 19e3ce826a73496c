internal import CassetteJSON

/// The way a text escapes the values in it.
package enum SecretSpelling: CaseIterable, Sendable {
  case raw, percent, json

  /// Spells a value for a text of this kind.
  package func spelled(_ value: [UInt8]) -> [UInt8] {
    switch self {
    case .raw: value
    case .json: Array(JSONString.encode(String(decoding: value, as: UTF8.self)).dropFirst().dropLast())
    case .percent: value.flatMap { byte in Self.isUnreserved(byte) ? [byte] : Array(Self.escape(byte).utf8) }
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "%0\(digits)" : "%\(digits)"
  }

  /// Tells if a byte needs no escape anywhere in a URL (RFC 3986 §2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
