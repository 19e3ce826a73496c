internal import CassetteSystem

extension SocketAddress {
  /// True for link-local addresses and for the metadata services of clouds, which hand out secrets.
  ///
  /// These are 169.254.0.0/16 and fe80::/10 (RFC 3927, RFC 4291 §2.5.6), cloud services at other addresses, and all
  /// forms of IPv6 addresses that contain such an IPv4 address: mapped, compatible, translated (RFC 6052) and 6to4
  /// (RFC 3056).
  public var isLinkLocalOrMetadata: Bool {
    let bytes = bytes
    guard isIPv6 else { return Self.isGuarded(bytes[...]) }
    if bytes[0] == 0xfe, bytes[1] & 0xc0 == 0x80 { return true }
    if bytes == Self.amazon { return true }
    if bytes[0] == 0x20, bytes[1] == 0x02 { return Self.isGuarded(bytes[2..<6]) }
    let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && (bytes[10] == bytes[11]) && [0, 0xff].contains(bytes[10])
    let isTranslated = bytes[..<12].elementsEqual(Self.translated)
    return (isMapped || isTranslated) && Self.isGuarded(bytes[12...])
  }

  /// 64:ff9b::/96.
  private static let translated: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]
  /// fd00:ec2::254.
  private static let amazon: [UInt8] = [0xfd, 0, 0x0e, 0xc2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0x54]
  /// The metadata addresses of Alibaba, Oracle and Azure, which are not link-local.
  private static let services: [[UInt8]] = [[100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16]]

  private static func isGuarded(_ four: ArraySlice<UInt8>) -> Bool {
    four.starts(with: [169, 254]) || services.contains { $0.elementsEqual(four) }
  }

  /// Returns true if the address is in a block, such as `10.0.0.0/8` or `2001:db8::/32` (RFC 4632 §3.1, RFC 4291 §2.3).
  ///
  /// A block without a length is one address, in any spelling.
  package func isIn(_ block: String) -> Bool {
    let parts = block.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let start = try? Self(host: String(first), port: 0), start.isIPv6 == isIPv6,
      let length = parts.count == 1 ? 128 : Int(parts[1]), (0...128).contains(length)
    else { return false }
    return zip(bytes, start.bytes).enumerated().allSatisfy { index, pair in
      (pair.0 ^ pair.1) >> max(0, 8 * (index + 1) - length) == 0
    }
  }

  /// The address in network byte order: four or sixteen bytes.
  private var bytes: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: isIPv6 ? 16 : 4)
    inet_pton(isIPv6 ? AF_INET6 : AF_INET, host, &bytes)
    return bytes
  }
}
