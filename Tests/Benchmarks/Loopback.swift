#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A response.
struct Answer {
  var status: Int
  var body: [UInt8]
}

/// A blocking connection to a loopback port, for one request at a time.
struct Loopback {
  private let descriptor: Int32
  private let port: Int

  /// Connects to a port, or returns nil if no server listens.
  init?(port: Int, patience seconds: Int = 5) {
    self.port = port
    descriptor = Self.streamSocket()
    guard descriptor >= 0 else { return nil }
    var wait = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = setsockopt(descriptor, SOL_SOCKET, option, &wait, socklen_t(MemoryLayout<timeval>.size))
    }
    guard Self.withAddress(port, { connectSocket(descriptor, $0, $1) }) == 0 else {
      _ = closeSocket(descriptor)
      return nil
    }
  }

  func close() { _ = closeSocket(descriptor) }

  /// Requests a path and reads the whole response, or returns nil after the time limit.
  func get(_ path: String) -> Answer? {
    let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAccept: application/json\r\n\r\n".utf8)
    guard request.withUnsafeBytes({ sendBytes(descriptor, $0) }) == request.count else { return nil }
    var bytes: [UInt8] = []
    var whole: Int?
    while whole.map({ bytes.count < $0 }) ?? true {
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, count in
        count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
      }
      if chunk.isEmpty { return nil }
      bytes += chunk
      if whole == nil { whole = Self.length(of: bytes) }
    }
    let head = Self.endOfHead(bytes) ?? 0
    return Answer(status: Self.status(bytes), body: Array(bytes[head...]))
  }

  /// Returns a port that was free a moment ago.
  static func freePort() throws -> Int {
    let descriptor = streamSocket()
    defer { _ = closeSocket(descriptor) }
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        withAddress(0) { bindSocket(descriptor, $0, $1) } == 0 ? getsockname(descriptor, address, &length) : -1
      }
    }
    guard result == 0 else { throw Failure("no free port: \(String(cString: strerror(errno)))") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  /// Waits until a server answers a path, and returns the nanoseconds since the server was started.
  ///
  /// Waits 50 microseconds between attempts, so that the server can use all processors.
  static func firstAnswer(of child: Child, port: Int, path: String) throws -> (nanoseconds: UInt64, answer: Answer) {
    while true {
      if let connection = Loopback(port: port, patience: 60) {
        defer { connection.close() }
        if let answer = connection.get(path) { return (System.now() - child.started, answer) }
      }
      guard child.isRunning else { throw Failure("\(child.name) ended before it answered\(child.complaints)") }
      guard System.seconds(since: child.started) < 60 else { throw Failure("\(child.name) did not answer in a minute") }
      System.pause(0.000_05)
    }
  }

  private static func streamSocket() -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func withAddress(_ port: Int, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(clamping: port).bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { use($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  // MARK: HTTP

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (0...bytes.count - 4).first { bytes[$0..<$0 + 4].elementsEqual("\r\n\r\n".utf8) }.map { $0 + 4 }
  }

  private static func length(of bytes: [UInt8]) -> Int? {
    guard let end = endOfHead(bytes) else { return nil }
    for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == "content-length" {
        return end + (Int(parts[1].filter(\.isNumber)) ?? 0)
      }
    }
    return end
  }

  private static func status(_ bytes: [UInt8]) -> Int {
    Int(String(decoding: bytes.dropFirst(9).prefix(3), as: UTF8.self)) ?? 0
  }
}

private func closeSocket(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func connectSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(descriptor, address, length)
}

private func bindSocket(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  bind(descriptor, address, length)
}

private func sendBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  send(descriptor, bytes.baseAddress, bytes.count, 0)
}
