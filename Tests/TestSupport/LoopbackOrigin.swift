import CassetteSystem
package import Dispatch
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A server on a free loopback port that sends given bytes and accepts one request per connection.
package final class LoopbackOrigin: Sendable {
  /// A received request.
  package struct Request: Sendable {
    package var method = ""
    package var target = ""
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []

    package func value(of name: String) -> String? {
      fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  /// A step of an answer.
  ///
  /// After the last step the connection is closed.
  package enum Step: Sendable {
    case send([UInt8])
    /// Waits a number of seconds, for tests of gaps.
    case pause(Double)
    /// Waits until a semaphore is signalled.
    case until(DispatchSemaphore)
    /// Sends every received byte back until the client ends its half of the connection.
    case echo
    /// Sends nothing until the client closes the connection.
    case silence
    /// Resets the connection instead of closing it.
    case reset

    package static func text(_ text: String) -> Step { .send(Array(text.utf8)) }
  }

  /// `http://127.0.0.1:PORT`.
  package let url: String
  private let listener: Int32
  private let answer: @Sendable (Request) -> [Step]
  private let seen = Locked<[Request]>([])
  private let isStopped = Locked(false)

  /// All requests received so far.
  package var requests: [Request] { seen.withLock { $0 } }

  /// Starts listening.
  ///
  /// - Parameter answer: Returns the steps of the answer to a request. Called on a separate thread.
  /// - Throws: An error if no port is free.
  package init(_ answer: @escaping @Sendable (Request) -> [Step]) throws {
    self.answer = answer
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
      // Accepted connections inherit the option: writing to a closed connection must not end the process.
      var isOn: Int32 = 1
      setsockopt(listener, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 128) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        guard let origin = self, !origin.isStopped.withLock({ $0 }) else {
          close(connection)
          break
        }
        Thread.detachNewThread { origin.serve(connection) }
      }
      // The listener is closed only here. A second call could close a reused descriptor.
      close(listener)
    }
  }

  deinit { stop() }

  /// Stops the server.
  package func stop() {
    let isFirst = isStopped.withLock { isStopped in
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    // The thread that waits for a connection wakes up and closes the listener.
    #if canImport(Darwin)
      // On Apple platforms only a new connection wakes up the thread.
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let knocking = socket(AF_INET, SOCK_STREAM, 0)
      withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
          if getsockname(listener, address, &length) == 0 { _ = connect(knocking, address, length) }
        }
      }
      close(knocking)
    #else
      shutdown(listener, Int32(SHUT_RDWR))
    #endif
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    guard let request = read(from: connection) else { return }
    seen.withLock { $0.append(request) }
    for step in answer(request) {
      switch step {
      case .pause(let seconds): Thread.sleep(forTimeInterval: seconds)
      case .until(let gate): gate.wait()
      case .silence:
        var rest = [UInt8](repeating: 0, count: 1024)
        while recv(connection, &rest, rest.count, 0) > 0 {}
        return
      case .echo:
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
          let count = recv(connection, &bytes, bytes.count, 0)
          if count <= 0 { break }
          var sent = 0
          while sent < count {
            let part = bytes[sent..<count].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.noSignal) }
            if part <= 0 { return }
            sent += part
          }
        }
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return
      case .send(let bytes):
        var sent = 0
        while sent < bytes.count {
          let count = bytes[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.noSignal) }
          if count <= 0 { return }
          sent += count
        }
      }
    }
    // The client must read to the end before the connection closes. Otherwise a reset may discard the last bytes.
    shutdown(connection, Int32(SHUT_WR))
    var rest = [UInt8](repeating: 0, count: 1024)
    while recv(connection, &rest, rest.count, 0) > 0 {}
  }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
  #endif

  private func read(from connection: Int32) -> Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let end = Array("\r\n\r\n".utf8)
    var head: Range<Int>?
    while head == nil {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { return nil }
      bytes += buffer[..<count]
      head = bytes.firstRange(of: end)
    }
    guard let head else { return nil }
    let lines = String(decoding: bytes[..<head.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    var request = Request()
    request.method = words.first ?? ""
    request.target = words.dropFirst().first ?? ""
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      request.fields.append(
        (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)))
    }
    var body = Array(bytes[head.upperBound...])
    let length = request.value(of: "Content-Length").flatMap { Int($0) } ?? 0
    if body.isEmpty, length > 0, request.value(of: "Expect") != nil {
      let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      _ = interim.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Self.noSignal) }
    }
    while body.count < length {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count <= 0 { return nil }
      body += buffer[..<count]
    }
    request.body = body
    return request
  }
}
