internal import CassetteSystem

/// An IPv4 or IPv6 address and a port.
public struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// The address without brackets, such as `127.0.0.1` or `::1`.
  public let host: String
  /// The port; 0 lets the system choose a port.
  public let port: Int
  /// True for an IPv6 address.
  public let isIPv6: Bool

  /// Creates an address from its text or the name `localhost`, without a lookup.
  ///
  /// - Parameters:
  ///   - host: An IPv4 or IPv6 address, with or without brackets, or `localhost`.
  ///   - port: The port, from 0 to 65535.
  /// - Throws: ``SocketError/badAddress(_:)`` if the host or the port is invalid.
  public init(host: String, port: Int) throws(SocketError) {
    guard (0...65535).contains(port) else { throw .badAddress("\(host):\(port)") }
    var text = host == "localhost" ? "127.0.0.1" : host
    if text.hasPrefix("["), text.hasSuffix("]") { text = String(text.dropFirst().dropLast()) }
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      isIPv6 = false
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      isIPv6 = true
      // An IPv6 address has many spellings. The canonical one makes equal addresses compare equal (RFC 5952).
      var shortest = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
      inet_ntop(AF_INET6, &six, &shortest, socklen_t(shortest.count))
      text = Platform.text(shortest)
    } else {
      throw .badAddress(host)
    }
    self.host = text
    self.port = port
  }

  /// Creates an address from a system structure; nil for other address families.
  init?(_ address: UnsafePointer<sockaddr>) {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      var four = raw.loadUnaligned(as: sockaddr_in.self)
      inet_ntop(AF_INET, &four.sin_addr, &text, socklen_t(text.count))
      (port, isIPv6) = (Int(UInt16(bigEndian: four.sin_port)), false)
    case AF_INET6:
      var six = raw.loadUnaligned(as: sockaddr_in6.self)
      inet_ntop(AF_INET6, &six.sin6_addr, &text, socklen_t(text.count))
      (port, isIPv6) = (Int(UInt16(bigEndian: six.sin6_port)), true)
    default: return nil
    }
    host = Platform.text(text)
  }

  /// True if only this machine can reach the address.
  public var isLoopback: Bool { isIPv6 ? host == "::1" : host.hasPrefix("127.") }

  /// Returns true if a host is `localhost` or a loopback address.
  package static func isLoopback(host: String) -> Bool { (try? Self(host: host, port: 0))?.isLoopback ?? false }

  /// The address as written in URLs and `Host` fields, such as `127.0.0.1:8080` or `[::1]:8080`.
  public var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  func withSystemAddress<R>(_ use: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    if isIPv6 {
      var six = sockaddr_in6()
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = UInt16(port).bigEndian
      inet_pton(AF_INET6, host, &six.sin6_addr)
      return rebound(&six, use)
    }
    var four = sockaddr_in()
    four.sin_family = sa_family_t(AF_INET)
    four.sin_port = UInt16(port).bigEndian
    inet_pton(AF_INET, host, &four.sin_addr)
    return rebound(&four, use)
  }

  private func rebound<Address, R>(_ address: inout Address, _ use: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        use($0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }
}
