package import CassetteHTTP
package import MockServerSockets
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A client that sends raw bytes and reads responses one by one, each with a time limit.
package final class WireClient {
  package struct Answer {
    package var status: Int
    package var reason: String
    package var version: String
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// True if the body ended with the connection.
    package var isEndedByClose = false

    package var text: String { String(decoding: body, as: UTF8.self) }
  }

  package enum Failure: Error {
    case noConnection, timedOut
    case ended(received: String)
    case reset(received: String)
    case malformed(String)
  }

  /// The reason why reading until the end has stopped.
  package enum End: Equatable { case ended, reset, timedOut }

  private let descriptor: Int32
  private var received: [UInt8] = []
  private var start = 0
  private var isOpen = true
  private var secure: (any SecureChannel)?
  package let host: String

  /// Connects to a server by its URL, with TLS if `security` is set.
  ///
  /// A small receive buffer makes the client a slow reader.
  package convenience init(_ url: String, receiveBuffer: Int32? = nil, security: TLSContext? = nil) throws {
    let host = url.split(separator: "/").last.map(String.init) ?? ""
    let colon = try #require(host.lastIndex(of: ":"))
    let port = try #require(Int(host[host.index(after: colon)...]))
    let address = try SocketAddress(host: String(host[..<colon]), port: port)
    try self.init(to: address, as: host, receiveBuffer: receiveBuffer)
    if let security { try shakeHands(security) }
  }

  /// Connects to a server on this machine.
  package convenience init(port: Int) throws { try self.init("http://127.0.0.1:\(port)") }

  /// Connects to an address.
  package init(to address: SocketAddress, as host: String = "localhost", receiveBuffer: Int32? = nil) throws {
    self.host = host
    descriptor = Platform.streamSocket(for: address)
    guard descriptor >= 0 else { throw Failure.noConnection }
    if let receiveBuffer { Platform.setFlag(descriptor, level: SOL_SOCKET, option: SO_RCVBUF, to: receiveBuffer) }
    if Platform.connect(descriptor, to: address) != 0, !wait(for: POLLOUT) { throw Failure.noConnection }
    Platform.setNoDelay(descriptor)
  }

  private func shakeHands(_ security: TLSContext) throws {
    let channel = try security.connect(descriptor, to: "localhost")
    while true {
      switch channel.shakeHands() {
      case .ready:
        secure = channel
        return
      case .failed(let words): throw Failure.malformed(words)
      case .waits(let readiness):
        guard wait(for: readiness.contains(.writable) ? POLLOUT : POLLIN) else { throw Failure.timedOut }
      }
    }
  }

  deinit { close() }

  package func close() {
    if isOpen { Platform.close(descriptor) }
    isOpen = false
  }

  /// Resets the connection, like a crashed peer.
  package func reset() {
    Platform.resetOnClose(descriptor)
    close()
  }

  /// Closes the sending side of the connection.
  package func endSending() { Platform.endWriting(descriptor) }

  private func wait(for events: Int32, _ milliseconds: Int32 = 60_000) -> Bool {
    var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    return poll(&poller, 1, milliseconds) > 0
  }

  // MARK: sending

  /// Sends bytes, and returns false if the connection accepts no more.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let result = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
        return secure?.send(rest) ?? Platform.send(descriptor, rest)
      }
      switch result {
      case .bytes(let count): sent += count
      case .wouldBlock: if !wait(for: POLLOUT) { return false }
      case .ended, .failed: return false
      }
    }
    return true
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Sends a request with a `Host` field, and a length if it has a body.
  package func request(_ line: String, _ headers: HTTPHeaders = [:], body: [UInt8] = []) {
    var text = "\(line) HTTP/1.1\r\n"
    if !headers.contains("Host") { text += "Host: \(host)\r\n" }
    for field in headers { text += "\(field.name): \(field.value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
    send(Array("\(text)\r\n".utf8) + body)
  }

  /// Sends a request and reads its response.
  package func ask(_ line: String, _ headers: HTTPHeaders = [:], body: String = "") throws -> Answer {
    request(line, headers, body: Array(body.utf8))
    return try answer(toHead: line.hasPrefix("HEAD "))
  }

  /// Sends bytes on a new connection, and returns all bytes received.
  package static func exchange(_ request: [UInt8], port: Int) throws -> [UInt8] {
    let client = try WireClient(port: port)
    client.send(request)
    return client.bytesToEnd()
  }

  /// Requests a path on a new connection, and returns all bytes received.
  package static func get(_ path: String, port: Int) throws -> String {
    let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n"
    return String(decoding: try exchange(Array(request.utf8), port: port), as: UTF8.self)
  }

  // MARK: receiving

  /// Reads a number of bytes, or fewer if the connection ends.
  package func text(_ count: Int) -> String { String(decoding: (try? bytes(count)) ?? bytesToEnd(), as: UTF8.self) }

  /// Returns true if bytes arrive within a time.
  ///
  /// For tests that expect no bytes.
  package func hears(within milliseconds: Int32) -> Bool { start < received.count || wait(for: POLLIN, milliseconds) }

  private enum Reading { case bytes, ended, reset, timedOut }

  private func readMore(_ milliseconds: Int32 = 60_000) -> Reading {
    if start == received.count { (received, start) = ([], 0) }
    while true {
      let result = withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
        let result = secure?.receive(into: buffer) ?? Platform.receive(descriptor, into: buffer)
        if case .bytes(let count) = result { received += buffer[..<count] }
        return result
      }
      switch result {
      case .bytes: return .bytes
      case .wouldBlock: if !wait(for: POLLIN, milliseconds) { return .timedOut }
      case .ended: return .ended
      case .failed: return .reset
      }
    }
  }

  /// Reads until the connection ends.
  package func readToEnd(_ milliseconds: Int32 = 60_000) -> (text: String, end: End) {
    while true {
      let end: End
      switch readMore(milliseconds) {
      case .bytes: continue
      case .ended: end = .ended
      case .reset: end = .reset
      case .timedOut: end = .timedOut
      }
      let text = String(decoding: received[start...], as: UTF8.self)
      start = received.count
      return (text, end)
    }
  }

  /// Waits until a string has been received, without consuming it.
  package func reads(until words: String) throws -> Bool {
    let words = Array(words.utf8)
    var from = start
    while received[from...].firstRange(of: words) == nil {
      from = max(start, received.count - words.count)
      try need(readMore())
    }
    return true
  }

  /// Reads all bytes until the connection ends.
  package func bytesToEnd() -> [UInt8] {
    _ = readRest()
    defer { start = received.count }
    return Array(received[start...])
  }

  private func need(_ reading: Reading) throws {
    let text = String(decoding: received[start...].prefix(2_000), as: UTF8.self)
    switch reading {
    case .bytes: return
    case .ended: throw Failure.ended(received: text)
    case .reset: throw Failure.reset(received: text)
    case .timedOut: throw Failure.timedOut
    }
  }

  private func line() throws -> String {
    var from = start
    while true {
      if let end = received[from...].firstIndex(of: 10) {
        guard end > start, received[end - 1] == 13 else { throw Failure.malformed("a line ends without CR") }
        defer { start = end + 1 }
        return String(decoding: received[start..<(end - 1)], as: UTF8.self)
      }
      let offset = received.count - start
      try need(readMore())
      from = start + offset
    }
  }

  private func bytes(_ count: Int) throws -> [UInt8] {
    while received.count - start < count { try need(readMore()) }
    defer { start += count }
    return Array(received[start..<(start + count)])
  }

  /// Reads the next response with a strict parser.
  package func answer(toHead isHead: Bool = false) throws -> Answer {
    let status = try line().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard status.count == 3, status[0].hasPrefix("HTTP/1."), let code = Int(status[1]), (100...999).contains(code)
    else {
      throw Failure.malformed("status line \(status)")
    }
    var headers = HTTPHeaders()
    while true {
      let line = try line()
      if line.isEmpty { break }
      let colon = try #require(line.firstIndex(of: ":"), "no field: \(line)")
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers.append(String(line[..<colon]), String(value))
    }
    var answer = Answer(
      status: code, reason: String(status[2]), version: String(status[0]), headers: headers, body: [])
    if isHead || code < 200 || code == 204 || code == 304 { return answer }
    if headers["Transfer-Encoding"]?.lowercased() == "chunked" {
      guard !headers.contains("Content-Length") else { throw Failure.malformed("two framings") }
      while true {
        let size = try #require(Int(try line(), radix: 16))
        answer.body += try bytes(size)
        guard try line().isEmpty else { throw Failure.malformed("a chunk is longer than its size") }
        if size == 0 { return answer }
      }
    }
    if let length = headers["Content-Length"] {
      answer.body = try bytes(try #require(Int(length)))
      return answer
    }
    let (_, end) = (0, readRest())
    guard end == .ended else { throw Failure.reset(received: "") }
    answer.body = Array(received[start...])
    start = received.count
    answer.isEndedByClose = true
    return answer
  }

  private func readRest() -> End {
    while true {
      switch readMore() {
      case .bytes: continue
      case .ended: return .ended
      case .reset: return .reset
      case .timedOut: return .timedOut
      }
    }
  }
}
