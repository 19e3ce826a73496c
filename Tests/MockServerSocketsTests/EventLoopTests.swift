import CassetteSystem
import Dispatch
import ServerTestSupport
import Testing

@testable import MockServerSockets

/// The callbacks that an event loop's owner received.
///
/// A test can wait for them.
private final class Record: Sendable {
  let lines = Locked<[String]>([])
  let changed = DispatchSemaphore(value: 0)

  func note(_ line: String) {
    lines.withLock { $0.append(line) }
    changed.signal()
  }

  /// Waits until a line has been noted a number of times.
  ///
  /// The limit of a minute allows for slow machines.
  func wait(for line: String, times: Int = 1) -> Bool {
    while lines.withLock({ $0.count { $0 == line } }) < times {
      if changed.wait(timeout: .now() + 60) == .timedOut { return false }
    }
    return true
  }
}

/// Echoes received bytes and records each callback.
private final class Echo: EventLoopOwner {
  let loop: any EventLoop
  let listener: Listener
  let record: Record

  init(_ loop: any EventLoop, _ listener: Listener, _ record: Record) {
    self.loop = loop
    self.listener = listener
    self.record = record
    _ = loop.watch(listener.descriptor, for: .readable)
    record.note("made")
  }

  func ready(_ descriptor: Int32, _ readiness: Readiness) {
    if descriptor == listener.descriptor {
      guard case .connection(let connection) = listener.accept() else { return }
      record.note("accepted")
      _ = loop.watch(connection, for: .readable)
      return
    }
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      switch Platform.receive(descriptor, into: buffer) {
      case .bytes(let count):
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        record.note("read \(String(decoding: bytes, as: UTF8.self))")
        if bytes.elementsEqual("pause".utf8) {
          loop.change(descriptor, to: [])
          loop.wake(at: Platform.monotonicNanoseconds() + 1_000_000)
          paused = descriptor
        }
        _ = Platform.send(descriptor, bytes)
      case .ended:
        record.note("ended")
        loop.close(descriptor)
      case .wouldBlock, .failed: break
      }
    }
  }

  private var paused: Int32 = -1

  func woken() {
    record.note("woken")
    if record.lines.withLock({ $0.contains("stop") }) { loop.stop() }
  }

  func deadlinePassed(_ now: UInt64) {
    record.note("deadline")
    if paused >= 0 { loop.change(paused, to: .readable) }
  }

  deinit { record.note("gone") }
}

/// Waits for connections until the loop is woken; connections after ``Listener/stopListening()`` are not accepted.
private final class Waiting: EventLoopOwner {
  private let loop: any EventLoop
  private let listener: Listener

  init(_ loop: any EventLoop, _ listener: Listener, _ record: Record) {
    (self.loop, self.listener) = (loop, listener)
    if listener.watch(in: loop) { record.note("waits") }
  }

  func ready(_ descriptor: Int32, _ readiness: Readiness) {}

  func woken() {
    listener.forget(in: loop)
    #expect(!listener.watch(in: loop))
    loop.stop()
  }

  func deadlinePassed(_ now: UInt64) {}
}

/// Forgets a descriptor when the loop is woken, and closes it in the same turn.
private final class Forgetting: EventLoopOwner {
  private let loop: any EventLoop
  private let descriptor: Int32
  private let record: Record

  init(_ loop: any EventLoop, _ descriptor: Int32, _ record: Record) {
    (self.loop, self.descriptor, self.record) = (loop, descriptor, record)
    if loop.watch(descriptor, for: .readable) { record.note("waits") }
  }

  func ready(_ descriptor: Int32, _ readiness: Readiness) {}

  func woken() {
    let (descriptor, record) = (descriptor, record)
    loop.forget(descriptor) { record.note(fcntl(descriptor, F_GETFD) < 0 ? "closed before" : "open") }
    loop.close(descriptor)
    loop.stop()
  }

  func deadlinePassed(_ now: UInt64) {}
}

@Suite struct EventLoopTests {
  private func start(_ kind: EventLoopKind) throws -> (LoopHandle, Listener, Record) {
    let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
    let record = Record()
    let handle = try kind.start(label: "test") { Echo($0, listener, record) }
    return (handle, listener, record)
  }

  private func end(_ handle: LoopHandle, _ record: Record) -> Bool {
    record.note("stop")
    handle.wake()
    return handle.join(within: 3_600)
  }

  @Test(arguments: EventLoopKind.allCases)
  func `300 event loops run at the same time`(kind: EventLoopKind) throws {
    let record = Record()
    let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
    let handles = try (0..<300).map { _ in try kind.start(label: "test") { Echo($0, listener, record) } }
    #expect(record.wait(for: "made", times: handles.count))
    record.note("stop")
    for handle in handles { handle.wake() }
    for handle in handles { #expect(handle.join(within: 3_600)) }
  }

  @Test(arguments: EventLoopKind.allCases)
  func `a listener frees its port once no event loop watches it`(kind: EventLoopKind) throws {
    let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
    let record = Record()
    let handles = try (0..<2).map { _ in try kind.start(label: "test") { Waiting($0, listener, record) } }
    #expect(record.wait(for: "waits", times: 2))
    listener.stopListening()
    listener.stopListening()
    // The event loops still watch the socket, which therefore keeps its port.
    #expect(throws: SocketError.addressInUse(listener.address)) { try Listener(listener.address) }
    for handle in handles { handle.wake() }
    for handle in handles { #expect(handle.join(within: 3_600)) }
    _ = try Listener(listener.address)
  }

  @Test(arguments: EventLoopKind.allCases)
  func `a forgotten descriptor is closed once the system no longer watches it`(kind: EventLoopKind) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { Platform.close(ends[1]) }
    let (record, reader) = (Record(), ends[0])
    let handle = try kind.start(label: "test") { Forgetting($0, reader, record) }
    #expect(record.wait(for: "waits"))
    handle.wake()
    #expect(handle.join(within: 3_600))
    #expect(record.lines.withLock { $0 } == ["waits", "open"])
  }

  @Test(arguments: EventLoopKind.allCases)
  func `received bytes are echoed, and a closed connection ends`(kind: EventLoopKind) throws {
    let (handle, listener, record) = try start(kind)
    let client = try WireClient(to: listener.address)
    client.send("hello")
    #expect(client.text(5) == "hello")
    client.close()
    #expect(record.wait(for: "ended"))
    #expect(end(handle, record))
    #expect(record.wait(for: "gone"))
  }

  @Test(arguments: EventLoopKind.allCases)
  func `a paused socket is not read before its pause ends`(kind: EventLoopKind) throws {
    let (handle, listener, record) = try start(kind)
    let client = try WireClient(to: listener.address)
    client.send("pause")
    #expect(client.text(5) == "pause")
    client.send("later")
    #expect(client.text(5) == "later")
    let lines = record.lines.withLock { $0 }
    let deadline = lines.firstIndex(of: "deadline")
    let later = lines.firstIndex(of: "read later")
    #expect(deadline != nil && later != nil && (deadline ?? 0) < (later ?? 0))
    client.close()
    #expect(end(handle, record))
  }

  @Test(arguments: EventLoopKind.allCases)
  func `an event loop is woken from another thread`(kind: EventLoopKind) throws {
    let (handle, _, record) = try start(kind)
    #expect(record.wait(for: "made"))
    handle.wake()
    #expect(record.wait(for: "woken"))
    #expect(end(handle, record))
  }

  @Test(arguments: EventLoopKind.allCases)
  func `connections reset at the same time end, and the next connection is served`(kind: EventLoopKind) throws {
    let (handle, listener, record) = try start(kind)
    for round in 1...10 {
      let clients = try (0..<20).map { _ in try WireClient(to: listener.address) }
      for client in clients { client.send("hello") }
      for client in clients { #expect(client.text(5) == "hello") }
      for client in clients { client.reset() }
      try #require(record.wait(for: "ended", times: 20 * round))
    }
    let client = try WireClient(to: listener.address)
    client.send("hello")
    #expect(client.text(5) == "hello")
    client.close()
    #expect(end(handle, record))
  }

  @Test(arguments: EventLoopKind.allCases)
  func `a stopped event loop releases its owner`(kind: EventLoopKind) throws {
    let (handle, _, record) = try start(kind)
    #expect(record.wait(for: "made"))
    #expect(end(handle, record))
    #expect(record.wait(for: "gone"))
  }
}
