#if os(Linux)
  import Foundation
  import CassetteSystem
  import Testing

  @testable import MockServerSockets

  /// What a loop waits on must be out of the kernel's set before its descriptor is closed.
  ///
  /// A child process that is being started holds a copy of every descriptor until its program runs. With that copy the
  /// kernel goes on reporting on a descriptor that was closed but not taken out: to whoever has its number by then, or
  /// to a source of Dispatch that is gone, which ends the process.
  @Suite struct WatchedDescriptorTests {
    @Test(arguments: EventLoopKind.allCases)
    func `a loop that has ended waits on nothing`(kind: EventLoopKind) throws {
      for _ in 0..<100 {
        let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
        let handle = try kind.start(label: "test") { Watcher($0, of: listener.descriptor) { $0.stop() } }
        handle.wake()
        try #require(handle.join(within: 3_600))
        try #require(Self.watches(on: listener.descriptor) == 0)
      }
    }

    @Test func `epoll does not wait on a closed descriptor, though a copy of it lives on`() throws {
      let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
      let descriptor = dup(listener.descriptor)
      let watches = Locked<[Int]>([])
      let handle = try EventLoopKind.epoll.start(label: "test") {
        Watcher($0, of: descriptor) { loop in
          let before = Self.watches(on: descriptor)
          loop.close(descriptor)
          watches.withLock { $0 = [before, Self.watches(on: listener.descriptor)] }
          loop.stop()
        }
      }
      handle.wake()
      try #require(handle.join(within: 3_600))
      #expect(watches.withLock { $0 } == [1, 0])
    }

    @Test func `what can hang up is never given to Dispatch, but to an epoll instance of its own`() throws {
      let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
      let sizes = Locked<[Int]>([])
      let handle = try EventLoopKind.dispatch.start(label: "test") {
        Watcher($0, of: listener.descriptor) { loop in
          sizes.withLock { $0 = Self.instances(with: listener.descriptor) }
          loop.stop()
        }
      }
      handle.wake()
      try #require(handle.join(within: 3_600))
      // One to read and one to write. Dispatch's own instance waits on what wakes it, too.
      #expect(sizes.withLock { $0 } == [1, 1])
    }

    /// How often the process waits on what a descriptor stands for, by the kernel's own account.
    private static func watches(on descriptor: Int32) -> Int { instances(with: descriptor).count }

    /// The epoll instances of this process that wait on what a descriptor stands for: on how many things each of them waits.
    private static func instances(with descriptor: Int32) -> [Int] {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return [-1] }
      let mark = "ino:\(String(status.st_ino, radix: 16)) "
      let folder = "/proc/self/fdinfo"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.compactMap { name in
        // A descriptor of another test may be closed in between: it has nothing to say.
        let lines = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
        let targets = lines.split(separator: "\n").filter { $0.hasPrefix("tfd:") }
        return targets.contains { $0.contains(mark) } ? targets.count : nil
      }
    }
  }

  /// Waits on one descriptor and does one thing when woken.
  private final class Watcher: EventLoopOwner {
    private let loop: any EventLoop
    private let act: @Sendable (any EventLoop) -> Void

    init(_ loop: any EventLoop, of descriptor: Int32, _ act: @escaping @Sendable (any EventLoop) -> Void) {
      self.loop = loop
      self.act = act
      _ = loop.watch(descriptor, for: .readable)
    }

    func ready(_ descriptor: Int32, _ readiness: Readiness) {}

    func woken() { act(loop) }

    func deadlinePassed(_ now: UInt64) {}
  }
#endif
