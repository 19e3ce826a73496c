internal import CassetteSystem

/// The value of an `Origin` field: scheme, host and port (RFC 6454 §6.2).
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
  /// The origin as browsers write it: in lower case, without the default port of the scheme.
  public let description: String
  private let host: Substring

  /// Parses an `http` or `https` origin.
  ///
  /// Returns nil for `null`, for other schemes, and if anything follows the origin.
  public init?(_ text: String) {
    var text = text.lowercased()
    guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
    let standard = scheme == "http://" ? ":80" : ":443"
    if text.hasSuffix(standard) { text.removeLast(standard.count) }
    let authority = text.dropFirst(scheme.count)
    var port: Substring = ""
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[...end]
      port = authority[authority.index(after: end)...]
      guard host.dropFirst().dropLast().allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
    } else {
      host = authority.prefix { $0 != ":" }
      port = authority[host.endIndex...]
      guard host.utf8.allSatisfy(Self.nameBytes.contains) else { return nil }
    }
    guard !host.isEmpty, port.isEmpty || Self.isPort(port) else { return nil }
    description = text
  }

  /// Returns true for text such as `:3000`.
  ///
  /// Checks each digit because `UInt16.init` also accepts a sign.
  private static func isPort(_ text: Substring) -> Bool {
    text.first == ":" && text.dropFirst().allSatisfy(\.isNumber) && UInt16(text.dropFirst()) != nil
  }

  private static let nameBytes = ByteSet.word.adding("-._")

  /// True if the host name alone identifies this machine: `localhost` (RFC 6761 §6.3), 127.0.0.0/8 or `[::1]`.
  public var isLoopback: Bool {
    let host = String(host)
    return host == "[::1]" || LoopbackHost.isName(host) || LoopbackHost.isIPv4Loopback(host)
  }
}
