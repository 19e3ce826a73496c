#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A measurement that failed, and the reason.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// A required program that is not installed.
struct MissingProgram: Error, CustomStringConvertible {
  var description: String
}

/// The clock, files and limits of this process.
enum System {
  /// The time of a monotonic clock in nanoseconds.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The seconds since a time returned by `now`.
  static func seconds(since start: UInt64) -> Double { Double(now() - start) / 1e9 }

  /// Sleeps for a number of seconds.
  static func pause(_ seconds: Double) {
    let whole = seconds.rounded(.down)
    var rest = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
    while true {
      let wanted = rest
      if withUnsafePointer(to: wanted, { nanosleep($0, &rest) }) == 0 || errno != EINTR { return }
    }
  }

  static func processors() -> Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// The load average of the last minute.
  static func busyness() -> Double {
    var averages = [0.0, 0.0, 0.0]
    return getloadavg(&averages, 3) > 0 ? averages[0] : 0
  }

  static var isRoot: Bool { geteuid() == 0 }

  /// Ends this program, with an optional message to standard error.
  static func end(complaining words: String? = nil, code: Int32) -> Never {
    if let words { complain(words) }
    exit(code)
  }

  /// Writes a line to standard output without buffering, also into a pipe.
  static func say(_ words: String) {
    let line = Array("\(words)\n".utf8)
    _ = line.withUnsafeBytes { systemWrite(1, $0.baseAddress, $0.count) }
  }

  static func complain(_ words: String) {
    let line = Array("Benchmarks: \(words)\n".utf8)
    _ = line.withUnsafeBytes { systemWrite(2, $0.baseAddress, $0.count) }
  }

  /// True if a program is linked dynamically to the Swift library.
  static func refersToSharedSwift(_ program: String) -> Bool {
    let name = Array("libswiftCore.so".utf8)
    return (read(program) ?? []).withUnsafeBytes { bytes in
      bytes.indices.dropLast(name.count).contains { place in
        bytes[place] == name[0] && bytes[place..<place + name.count].elementsEqual(name)
      }
    }
  }

  /// Returns the path of a program in `PATH` or in the folders of system daemons.
  static func find(_ program: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin"]
    return folders.map { "\($0)/\(program)" }.first(where: isExecutable)
  }

  static func isExecutable(_ path: String) -> Bool { access(path, X_OK) == 0 }

  /// Returns the bytes of a file, including files of `/proc` that have no size.
  static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    return readToEnd(file)
  }

  static func readToEnd(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
        count = max(0, systemRead(descriptor, buffer.baseAddress, buffer.count))
      }
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  static func text(of path: String) -> String? { read(path).map { String(decoding: $0, as: UTF8.self) } }

  /// Writes a file and synchronizes it to disk, so that later measurements are not affected.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { systemWrite(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
      rest = rest.dropFirst(count)
    }
    fsync(file)
  }

  static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

  static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
  }

  /// Creates a temporary folder.
  static func makeTemporaryFolder() throws -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/mockserver-benchmarks-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure("no temporary folder in \(parent): \(String(cString: strerror(errno)))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Raises the descriptor limit of this process and its children to the maximum.
  static func raiseDescriptorLimit() -> Int {
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 256 }
    #if canImport(Darwin)
      limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(OPEN_MAX)))
    #else
      limit.rlim_cur = limit.rlim_max
    #endif
    _ = setrlimit(resource, &limit)
    guard getrlimit(resource, &limit) == 0 else { return 256 }
    return Int(clamping: limit.rlim_cur)
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
