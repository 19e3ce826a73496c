internal import CassetteSystem

/// Functions for connections that are being established, or may be broken.
extension Platform {
  /// Returns the error of a connection, such as the result of a started attempt: 0, or the `errno` value.
  package static func connectionError(_ descriptor: Int32) -> Int32 {
    var error: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno
  }

  /// The error code of a connection that the peer reset.
  static var brokenConnection: Int32 { ECONNRESET }

  static func isInProgress(_ error: Int32) -> Bool { error == EINPROGRESS || error == EINTR }

  /// Resolves a host name with the system's resolver, which may block for seconds.
  static func addresses(of host: String, port: Int) -> (addresses: [SocketAddress], code: Int32) {
    var hints = addrinfo()
    hints.ai_socktype = streamType
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      // A container without /etc/hosts cannot resolve the names of loopback addresses (RFC 6761 §6.3).
      let name = host.lowercased()
      guard name == "localhost" || name.hasSuffix(".localhost") else { return ([], code) }
      return (["127.0.0.1", "::1"].compactMap { try? SocketAddress(host: $0, port: port) }, 0)
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next {
      next = entry.pointee.ai_next
      guard let system = entry.pointee.ai_addr, let address = SocketAddress(system) else { continue }
      if !addresses.contains(address) { addresses.append(address) }
    }
    return (addresses, 0)
  }

  /// Returns the system's description of a resolver error.
  static func describe(resolution code: Int32) -> String { String(cString: gai_strerror(code)) }

  package static func connect(_ descriptor: Int32, to address: SocketAddress) -> Int32 {
    address.withSystemAddress { systemConnect(descriptor, $0, $1) }
  }
}
