/// Files that are read as a whole: regular files, and pipes that the process was given by name.
///
/// A named pipe has perhaps nobody at its other end and would be waited for; a device such as `/dev/zero` never ends.
package enum ReadableFile {
  /// The most bytes of a regular file.
  package static let mostBytes = 1 << 30
  /// The most bytes of a pipe or terminal, whose size is only known at its end.
  package static let mostPipedBytes = 256 << 20

  /// Returns the reason why a file is not read; nil for a readable one.
  ///
  /// - Parameters:
  ///   - facts: The kind and size of the file, from `stat` or `fstat`.
  ///   - path: The path by which it was opened, which tells if a shell handed it over.
  ///   - mostBytes: The most bytes that are read.
  /// - Returns: The reason in words.
  package static func problem(_ facts: stat, _ path: String, mostBytes: Int = mostBytes) -> String? {
    switch facts.st_mode & S_IFMT {
    case S_IFREG: facts.st_size > mostBytes ? tooLong(mostBytes) : nil
    case S_IFDIR: "is a folder"
    case _ where isHandedOver(path): nil
    default: "is not a regular file"
    }
  }

  /// Returns the reason why a file with too many bytes is not read.
  package static func tooLong(_ mostBytes: Int) -> String { "is larger than \(mostBytes >> 20) MB" }

  /// True for a descriptor that the process was given by name, such as standard input or a shell's `<(…)`, and for
  /// `/dev/null`.
  package static func isHandedOver(_ path: String) -> Bool {
    if ["/dev/stdin", "/dev/null"].contains(path) || path.hasPrefix("/dev/fd/") { return true }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    return steps.count == 5 && steps[1] == "proc" && steps[3] == "fd"
  }
}
