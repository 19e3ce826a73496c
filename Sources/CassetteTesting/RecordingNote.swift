import CassetteRecording
internal import CassetteSystem
import Foundation

/// A note about a cassette that is shared by the processes of one test run, in a folder for temporary files.
struct RecordingNote {
  /// The content of a note.
  struct Content: Equatable {
    /// The tests that recorded into the cassette.
    var tests: Set<String> = []
    /// The ids of the recordings that were used.
    var asked: Set<String> = []
    /// The reasons why unused recordings may still be needed.
    var doubts: [String] = []
  }

  let path: String

  /// Returns the note about a file for the current run: the child processes of one `swift test`.
  static func ofThisRun(_ file: RecordingFile) -> RecordingNote? {
    let folder = NSTemporaryDirectory() + "cassettes-\(getuid())"
    mkdir(folder, 0o700)
    var facts = stat()
    // Other users must not be able to cause recordings to be removed.
    guard lstat(folder, &facts) == 0, facts.st_uid == getuid(), facts.st_mode & 0o777 == 0o700 else { return nil }
    let sum = file.identity.utf8.stableHash
    return RecordingNote(path: "\(folder)/\(runner)-\(began(runner))-\(String(sum, radix: 16))")
  }

  /// The process that identifies the run: `swift test`, which starts the test processes and ends after them.
  ///
  /// Xcode's test processes are started by `launchd`, which outlives a run; in this case, the test process itself
  /// identifies the run.
  private static var runner: pid_t {
    #if os(macOS)
      getppid() == 1 ? getpid() : getppid()
    #elseif canImport(Darwin)
      getpid()
    #else
      getppid()
    #endif
  }

  /// Returns the start time of a process, to distinguish it from another process with the same number; 0 if it is
  /// unknown.
  static func began(_ process: pid_t) -> Int {
    #if canImport(Darwin)
      var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
      var facts = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.size
      guard sysctl(&name, u_int(name.count), &facts, &size, nil, 0) == 0, size == MemoryLayout<kinfo_proc>.size else {
        return 0
      }
      let time = facts.kp_proc.p_un.__p_starttime
      return time.tv_sec * 1_000_000 + Int(time.tv_usec)
    #else
      beganInJiffies(process)
    #endif
  }

  /// Returns the start time of a process in ticks since system start (proc(5), field 22), or 0 if it is unknown.
  private static func beganInJiffies(_ process: pid_t) -> Int {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return 0 }
    // The name of the program is in parentheses, and may itself contain spaces and parentheses.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    return words.count > 19 ? Int(words[19]) ?? 0 : 0
  }

  /// Adds the content of this process to the note, and returns the content of all processes.
  func exchanging(_ content: Content) -> Content {
    var lines = content.tests.map { "test \($0)" } + content.asked.map { "asked \($0)" }
    lines += content.doubts.map { "doubt \($0)" }
    let text = lines.map { $0.replacingOccurrences(of: "\n", with: " ") + "\n" }.joined()
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { return content }
    let bytes = Array(text.utf8)
    // A single write, so that the lines of two processes are not mixed.
    let isWritten = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } == bytes.count
    close(file)
    guard isWritten, let all = FileManager.default.contents(atPath: path) else { return content }
    var together = content
    for line in String(decoding: all, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2 else { continue }
      switch words[0] {
      case "test": together.tests.insert(words[1])
      case "asked": together.asked.insert(words[1])
      default: if !together.doubts.contains(words[1]) { together.doubts.append(words[1]) }
      }
    }
    return together
  }
}
