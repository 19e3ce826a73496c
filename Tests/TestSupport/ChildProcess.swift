import CassetteSystem
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A program that a test starts, with nothing to read and its output in pipes.
///
/// Not Foundation's `Process`: up to Swift 6.3 that reads past a buffer on Linux while it looks for descriptors to close
/// (swift-corelibs-foundation #5472), which now and then ends a process that holds 1,300 of them, as tests in parallel do.
package final class ChildProcess: Sendable {
  /// What the program wrote, and how it ended.
  package struct Result: Sendable {
    /// Its exit code, or the number of the signal that ended it.
    package let status: Int32
    package let outputBytes: [UInt8]
    package let errorBytes: [UInt8]

    package var output: String { String(decoding: outputBytes, as: UTF8.self) }
    package var error: String { String(decoding: errorBytes, as: UTF8.self) }
  }

  /// Why a program could not be started.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let id: pid_t
  private let output: FileHandle
  private let error: FileHandle
  private let status = Locked<Int32?>(nil)

  /// Starts a program, with no signal ignored or blocked and no descriptor but the three.
  ///
  /// - Parameters:
  ///   - path: The program's file.
  ///   - arguments: What comes after its name.
  ///   - input: What it reads, small enough for a pipe.
  ///   - environment: Its variables; those of this process if there are none.
  ///   - folder: Where it runs; where this process does if there is none.
  /// - Throws: ``Failure`` with what the system said.
  package init(
    _ path: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil,
    folder: String? = nil
  ) throws {
    let (input, output, error) = (try Self.pipe(holding: input), Pipe(), Pipe())
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, 0)
    posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
    posix_spawn_file_actions_adddup2(&actions, error.fileHandleForWriting.fileDescriptor, 2)
    #if os(Linux)
      // A copy of a socket that was just being made would keep its connection open.
      Self.closeAll(&actions)
    #endif
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let moved = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder ?? "", path] + arguments
    let command = folder == nil ? [path] + arguments : moved
    var words = command.map { strdup($0) } + [nil]
    var variables = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var id: pid_t = 0
    // The ends that are the child's are open until it has them.
    let code = withExtendedLifetime((input, output, error)) {
      posix_spawn(&id, command[0], &actions, &attributes, &words, &variables)
    }
    guard code == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(code)))") }
    (self.id, self.output, self.error) = (id, output.fileHandleForReading, error.fileHandleForReading)
  }

  deinit {
    signal(SIGKILL)
    _ = wait()
  }

  /// Runs a program to its end.
  package static func run(
    _ path: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil,
    folder: String? = nil
  ) throws -> Result {
    try ChildProcess(path, arguments, input: input, environment: environment, folder: folder).end()
  }

  /// Sends a signal, unless it was seen to end.
  package func signal(_ number: Int32) {
    status.withLock { status in if status == nil { kill(id, number) } }
  }

  /// The next of what it writes to its output, when there is some; nothing at the end.
  package func nextOutput() -> [UInt8] { Self.read(output) }

  /// Waits until it has written all and ended.
  package func end() -> Result {
    // Whoever fills one pipe while the other is read would wait for ever.
    let error = Locked<[UInt8]>([])
    let (output, complaints) = (self.output, self.error)
    let isRead = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let bytes = Self.readToEnd(complaints)
      error.withLock { $0 = bytes }
      isRead.signal()
    }
    let bytes = Self.readToEnd(output)
    isRead.wait()
    return Result(status: wait(), outputBytes: bytes, errorBytes: error.withLock { $0 })
  }

  /// Waits for its end without holding up a thread of the pool.
  package func ended() async -> Result {
    await withCheckedContinuation { ended in
      Thread.detachNewThread { ended.resume(returning: self.end()) }
    }
  }

  private func wait() -> Int32 {
    // It stays to be waited for, so that its number is its own while somebody sends it a signal.
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return status.withLock { status in
      if let status { return status }
      var code: Int32 = 0
      while waitpid(id, &code, 0) < 0, errno == EINTR {}
      let ended = code & 0x7f == 0 ? code >> 8 & 0xff : code & 0x7f
      status = ended
      return ended
    }
  }

  // MARK: pipes

  private static func pipe(holding text: String) throws -> FileHandle {
    let (pipe, bytes) = (Pipe(), Array(text.utf8))
    guard bytes.count <= 64 << 10 else { throw Failure(description: "\(bytes.count) bytes are too many for a pipe") }
    try pipe.fileHandleForWriting.write(contentsOf: bytes)
    try pipe.fileHandleForWriting.close()
    return pipe.fileHandleForReading
  }

  #if os(Linux)
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Closes all but the first three descriptors in the child: by one call where the C library has it (glibc 2.34).
    ///
    /// Until its program runs a child holds a copy of all that this process has open, with its locks and the events that
    /// are waited for: thousands of calls would make that a long time.
    private static func closeAll(_ actions: inout posix_spawn_file_actions_t) {
      if let call = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np") {
        _ = unsafeBitCast(call, to: CloseFrom.self)(&actions, 3)
        return
      }
      let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      for descriptor in open.compactMap({ Int32($0) }) where descriptor > 2 {
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    }
  #endif

  private static func read(_ handle: FileHandle) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
      var result = -1
      // A signal that comes between is no end.
      repeat {
        result = systemRead(handle.fileDescriptor, buffer.baseAddress, buffer.count)
      } while result < 0
        && errno == EINTR
      count = max(0, result)
    }
  }

  private static func readToEnd(_ handle: FileHandle) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = read(handle)
      if more.isEmpty { return bytes }
      bytes += more
    }
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}
