#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The processor time and memory of a process and its descendants.
struct Usage {
  /// The processor time since the start in seconds, to a hundredth.
  var processor = 0.0
  /// The current resident memory in bytes.
  ///
  /// Pages shared between processes count for each.
  var resident = 0.0
}

/// A process and its descendants.
///
/// For example, nginx is a master and its workers.
enum ProcessTree {
  static func usage(of root: pid_t) -> Usage {
    let members = all()
    var usage = Usage()
    for id in family(of: root, among: members) {
      guard let member = members[id] else { continue }
      usage.processor += member.processor
      usage.resident += member.resident()
    }
    return usage
  }

  static func family(of root: pid_t) -> [pid_t] { family(of: root, among: all()) }

  /// Returns the processor time in seconds to the nanosecond if the system provides it.
  ///
  /// Hundredths of a second are too coarse for idle connections.
  static func finelyMeasuredProcessor(of root: pid_t) -> Double {
    #if os(Linux)
      var nanoseconds = 0.0
      for id in family(of: root) {
        for task in folder("/proc/\(id)/task") {
          guard let text = System.text(of: "/proc/\(id)/task/\(task)/schedstat"),
            let first = text.split(separator: " ").first, let value = Double(first)
          else { return usage(of: root).processor }
          nanoseconds += value
        }
      }
      return nanoseconds / 1e9
    #else
      return usage(of: root).processor
    #endif
  }

  private static func family(of root: pid_t, among members: [pid_t: Member]) -> [pid_t] {
    var family = [root]
    var next = 0
    while next < family.count {
      family += members.filter { $0.value.parent == family[next] }.keys
      next += 1
    }
    return family
  }

  private struct Member {
    var parent: pid_t
    var processor: Double
    var resident: () -> Double
  }

  #if os(Linux)
    private static let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))

    private static func all() -> [pid_t: Member] {
      var members: [pid_t: Member] = [:]
      for name in folder("/proc") {
        guard let id = pid_t(name), let text = System.text(of: "/proc/\(id)/stat"),
          // The name in parentheses may contain any character, so that fields are counted from its end (proc_pid_stat(5)).
          let nameEnd = text.lastIndex(of: ")")
        else { continue }
        let fields = text[text.index(after: nameEnd)...].split(separator: " ")
        guard fields.count > 12, let parent = pid_t(fields[1]), let user = Double(fields[11]),
          let system = Double(fields[12])
        else { continue }
        members[id] = Member(parent: parent, processor: (user + system) / ticks) { resident(id) }
      }
      return members
    }

    /// `smaps_rollup` is exact; the count in `status` lags behind by some pages per processor.
    private static func resident(_ id: pid_t) -> Double {
      for (file, key) in [("smaps_rollup", "Rss:"), ("status", "VmRSS:")] {
        for line in (System.text(of: "/proc/\(id)/\(file)") ?? "").split(separator: "\n") where line.hasPrefix(key) {
          let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
          if words.count > 1, let kilobytes = Double(words[1]) { return kilobytes * 1024 }
        }
      }
      return 0
    }

    private static func folder(_ path: String) -> [String] {
      guard let stream = opendir(path) else { return [] }
      defer { closedir(stream) }
      var names: [String] = []
      while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if !name.hasPrefix(".") { names.append(name) }
      }
      return names
    }
  #else
    private static func all() -> [pid_t: Member] {
      guard let listing = try? Child("/bin/ps", ["-axo", "pid=,ppid=,rss=,time="], errors: "/dev/null").wholeOutput()
      else { return [:] }
      var members: [pid_t: Member] = [:]
      for line in listing.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard words.count >= 4, let id = pid_t(words[0]), let parent = pid_t(words[1]), let kilobytes = Double(words[2])
        else { continue }
        // 1:02.03 is a minute and two seconds. Hours precede another colon.
        let time = words[3].split(separator: ":").reduce(0.0) { $0 * 60 + (Double($1) ?? 0) }
        members[id] = Member(parent: parent, processor: time) { kilobytes * 1024 }
      }
      return members
    }
  #endif
}
