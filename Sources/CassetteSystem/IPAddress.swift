/// Validates textual IP addresses.
package enum IPAddress {
  /// Returns true for an IPv4 address: four decimal numbers up to 255 without leading zeros (RFC 3986 §3.2.2).
  package static func isV4(_ text: ArraySlice<UInt8>) -> Bool {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3).contains(part.count) && part.allSatisfy { $0.isDigit }
          && (part.count == 1 || part.first != 0x30) && Int(String(decoding: part, as: UTF8.self)) ?? 256 < 256
      }
  }

  /// Returns true for an IPv6 address (RFC 4291 §2.2): eight groups of hexadecimal digits, or fewer with one `::`.
  ///
  /// The last two groups may be an IPv4 address.
  package static func isV6(_ text: [UInt8]) -> Bool {
    let colon = UInt8(ascii: ":")
    var halves: [ArraySlice<UInt8>] = [text[...]]
    if let gap = text.indices.dropLast().first(where: { text[$0] == colon && text[$0 + 1] == colon }) {
      halves = [text[..<gap], text[(gap + 2)...]]
    }
    var groups = 0
    for (index, half) in halves.enumerated() where !half.isEmpty {
      let parts = half.split(separator: colon, omittingEmptySubsequences: false)
      for (number, part) in parts.enumerated() {
        let isLast = index == halves.count - 1 && number == parts.count - 1
        if isLast, part.contains(UInt8(ascii: ".")) {
          guard isV4(part) else { return false }
          groups += 2
        } else {
          guard (1...4).contains(part.count), part.allSatisfy({ $0.hexadecimalValue != nil }) else { return false }
          groups += 1
        }
      }
    }
    return halves.count == 2 ? groups < 8 : groups == 8
  }
}
