@testable import MockServerSockets

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A client for tests: connects, sends, and waits for answers at most a minute.
struct BlockingClient {
  private let descriptor: Int32

  init(to address: SocketAddress) throws {
    descriptor = Platform.streamSocket(for: address)
    if Platform.connect(descriptor, to: address) != 0 { wait(for: POLLOUT) }
    Platform.setNoDelay(descriptor)
  }

  private func wait(for events: Int32) {
    var poller = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = poll(&poller, 1, 60_000)
  }

  func send(_ text: String) {
    var left = Array(text.utf8)
    while !left.isEmpty {
      switch left.withUnsafeBytes({ Platform.send(descriptor, $0) }) {
      case .bytes(let count): left.removeFirst(count)
      case .wouldBlock: wait(for: POLLOUT)
      case .ended, .failed: return
      }
    }
  }

  /// Reads until so many bytes have come, or the other side ends.
  func receive(_ count: Int) -> String {
    var received: [UInt8] = []
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
      while received.count < count {
        switch Platform.receive(descriptor, into: buffer) {
        case .bytes(let count): received += buffer[..<count]
        case .wouldBlock:
          var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
          if poll(&poller, 1, 60_000) == 0 { return }
        case .ended, .failed: return
        }
      }
    }
    return String(decoding: received, as: UTF8.self)
  }

  func close() { Platform.close(descriptor) }

  /// Breaks the connection, as a peer does that has crashed.
  func reset() {
    Platform.resetOnClose(descriptor)
    close()
  }
}
