import CassetteSystem
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A child process of a test, with its output in pipes.
///
/// Foundation's `Process` is not used: up to Swift 6.3 it reads past a buffer on Linux when it closes descriptors
/// (swift-corelibs-foundation #5472). This sometimes ends a process with 1,300 descriptors, such as parallel tests.
package final class ChildProcess: Sendable {
  /// The output of the program and its exit status.
  package struct Result: Sendable {
    /// The exit code, or the number of the signal that ended the program.
    package let status: Int32
    package let outputBytes: [UInt8]
    package let errorBytes: [UInt8]

    package var output: String { String(decoding: outputBytes, as: UTF8.self) }
    package var error: String { String(decoding: errorBytes, as: UTF8.self) }
  }

  /// The reason why a program could not be started.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  private let id: pid_t
  private let output: FileHandle
  private let error: FileHandle
  private let status = Locked<Int32?>(nil)

  /// Starts a program with default signal handling and only the three standard descriptors.
  ///
  /// - Parameters:
  ///   - path: The path of the program.
  ///   - arguments: The arguments, without the program's name.
  ///   - input: The bytes of the standard input, at most 64 KB.
  ///   - environment: The environment variables. By default those of this process.
  ///   - folder: The working directory. By default that of this process.
  /// - Throws: ``Failure`` with the error of the system.
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
      // An inherited copy of a socket would keep its connection open.
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
    // The child's ends of the pipes must stay open until the child has inherited them.
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

  /// Runs a program and waits until it exits.
  package static func run(
    _ path: String, _ arguments: [String], input: String = "", environment: [String: String]? = nil,
    folder: String? = nil
  ) throws -> Result {
    try ChildProcess(path, arguments, input: input, environment: environment, folder: folder).end()
  }

  /// Sends a signal unless the program has ended.
  package func signal(_ number: Int32) {
    status.withLock { status in if status == nil { kill(id, number) } }
  }

  /// Waits for output and returns its next bytes, or an empty array at the end.
  package func nextOutput() -> [UInt8] { Self.read(output) }

  /// Waits until the program has ended, and returns its output.
  package func end() -> Result {
    // Both pipes are read at the same time. Otherwise a program that fills one of them would block forever.
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

  /// Waits until the program has ended, without blocking a thread of the pool.
  package func ended() async -> Result {
    await withCheckedContinuation { ended in
      Thread.detachNewThread { ended.resume(returning: self.end()) }
    }
  }

  private func wait() -> Int32 {
    // The child is not reaped yet, so that its process id stays valid while a signal is sent.
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

  // MARK: Pipes

  private static func pipe(holding text: String) throws -> FileHandle {
    let (pipe, bytes) = (Pipe(), Array(text.utf8))
    guard bytes.count <= 64 << 10 else { throw Failure(description: "\(bytes.count) bytes are too many for a pipe") }
    try pipe.fileHandleForWriting.write(contentsOf: bytes)
    try pipe.fileHandleForWriting.close()
    return pipe.fileHandleForReading
  }

  #if os(Linux)
    private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    /// Closes all descriptors of the child except the first three, with one call if the C library has it (glibc 2.34).
    ///
    /// Until its program runs, a child holds copies of all descriptors of this process, with their locks and watched
    /// events. Thousands of calls to `close` would prolong this time.
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
      // A signal can interrupt the call.
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
