#if os(Linux)
  import Foundation
  import CassetteSystem
  import Testing

  @testable import MockServerSockets

  /// A descriptor must be removed from the kernel's set before it is closed.
  ///
  /// A child process that is being started holds a copy of every descriptor until its program runs. With that copy the
  /// kernel continues to report events of a descriptor that was closed but not removed. They reach a new descriptor with
  /// the same number, or a released Dispatch source, which ends the process.
  @Suite struct WatchedDescriptorTests {
    @Test(arguments: EventLoopKind.allCases)
    func `an event loop that has ended watches no descriptor`(kind: EventLoopKind) throws {
      for _ in 0..<100 {
        let listener = try Listener(SocketAddress(host: "127.0.0.1", port: 0))
        let handle = try kind.start(label: "test") { Watcher($0, of: listener.descriptor) { $0.stop() } }
        handle.wake()
        try #require(handle.join(within: 3_600))
        try #require(Self.watches(on: listener.descriptor) == 0)
      }
    }

    @Test func `epoll does not watch a closed descriptor of which a copy is open`() throws {
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

    @Test func `with Dispatch, a socket is watched by separate epoll instances for reading and writing`() throws {
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
      // One instance for reading and one for writing. Dispatch's shared instance would have more entries.
      #expect(sizes.withLock { $0 } == [1, 1])
    }

    /// The number of epoll entries in this process for the file of a descriptor, as reported by the kernel.
    private static func watches(on descriptor: Int32) -> Int { instances(with: descriptor).count }

    /// The number of entries of each epoll instance in this process that watches the file of a descriptor.
    private static func instances(with descriptor: Int32) -> [Int] {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return [-1] }
      let mark = "ino:\(String(status.st_ino, radix: 16)) "
      let folder = "/proc/self/fdinfo"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.compactMap { name in
        // A descriptor of another test may be closed in the meantime. It is skipped.
        let lines = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
        let targets = lines.split(separator: "\n").filter { $0.hasPrefix("tfd:") }
        return targets.contains { $0.contains(mark) } ? targets.count : nil
      }
    }
  }

  /// Watches one descriptor and runs a closure when woken.
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
