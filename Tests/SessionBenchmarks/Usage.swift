import Foundation

/// The memory and processor time of this process.
enum Usage {
  /// The resident memory in bytes on Linux, and 0 on other systems.
  static var resident: Int {
    let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    return (text?.split(separator: " ").dropFirst().first).flatMap { Int($0) }.map { $0 * 4_096 } ?? 0
  }

  /// The processor time of all threads in microseconds.
  static var microseconds: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
