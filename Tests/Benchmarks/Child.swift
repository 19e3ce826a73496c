import CassetteSystem

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A child process.
///
/// Only processes started here are ever ended.
final class Child {
  let id: pid_t
  let name: String
  /// The time just before the program was started.
  let started: UInt64
  private let errors: String
  private let output: Int32
  private var hasEnded = false

  /// Starts a program whose output is read here and whose standard error is written to the file `errors`.
  init(_ program: String, _ arguments: [String], errors: String) throws {
    name = program.split(separator: "/").last.map(String.init) ?? program
    self.errors = errors
    var pipe: [Int32] = [-1, -1]
    guard systemPipe(&pipe) == 0 else { throw Failure("no pipe: \(String(cString: strerror(errno)))") }
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = pipe[0]
    defer { close(pipe[1]) }

    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o644)
    // Signals ignored by this process must not be ignored by the child.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    started = System.now()
    let error = posix_spawn(&id, program, &actions, &attributes, &words, environ)
    guard error == 0 else {
      close(output)
      throw Failure("\(program): \(String(cString: strerror(error)))")
    }
    self.id = id
    Children.add(id)
  }

  deinit {
    end()
    close(output)
  }

  /// Waits for the first line of output.
  func firstLine(within seconds: Double) throws -> String {
    let deadline = System.now() + UInt64(seconds * 1e9)
    var line: [UInt8] = []
    while true {
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard System.now() < deadline else { throw Failure("\(name) wrote nothing for \(Int(seconds)) s\(complaints)") }
      guard poll(&waiting, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(output, &byte, 1) == 1 else { throw Failure("\(name) ended at once\(complaints)") }
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
  }

  /// Reads the output until the program ends.
  func wholeOutput() throws -> String {
    let bytes = System.readToEnd(output) ?? []
    let status = wait()
    guard status == 0 else { throw Failure("\(name) ended with status \(status)\(complaints)") }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The content of standard error, for a message.
  var complaints: String {
    let text = (System.text(of: errors) ?? "").split(separator: "\n").suffix(5).joined(separator: "\n  ")
    return text.isEmpty ? "" : ":\n  \(text)"
  }

  /// True if the program is running.
  var isRunning: Bool {
    if hasEnded { return false }
    var status: Int32 = 0
    if waitpid(id, &status, WNOHANG) != 0 { noteEnd() }
    return !hasEnded
  }

  private func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 && errno == EINTR {}
    noteEnd()
    return status & 0x7f == 0 ? status >> 8 & 0xff : -(status & 0x7f)
  }

  private func noteEnd() {
    hasEnded = true
    Children.remove(id)
  }

  /// Kills the program.
  func endAtOnce() {
    guard isRunning else { return }
    for member in ProcessTree.family(of: id) { kill(member, SIGKILL) }
    _ = wait()
  }

  /// Terminates the program, and kills it after eight seconds.
  func end() {
    guard isRunning else { return }
    let family = ProcessTree.family(of: id)
    kill(id, SIGTERM)
    let start = System.now()
    while isRunning {
      if System.seconds(since: start) > 8 {
        for member in family { kill(member, SIGKILL) }
        _ = wait()
        return
      }
      System.pause(0.001)
    }
  }
}

/// The running children, which are ended if this program is interrupted.
enum Children {
  private static let running = Locked<Set<pid_t>>([])

  static func add(_ id: pid_t) { running.withLock { _ = $0.insert(id) } }

  static func remove(_ id: pid_t) { running.withLock { _ = $0.remove(id) } }

  static func endAll() {
    running.withLock { running in
      for id in running { kill(id, SIGTERM) }
      running = []
    }
  }
}

private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { pipe(ends) }
