/// Files that are read completely: regular files, and pipes that are passed to the process by name.
///
/// Reading a named pipe may wait for a writer forever, and a device such as `/dev/zero` never ends.
package enum ReadableFile {
  /// The maximum size of a regular file, in bytes.
  package static let mostBytes = 1 << 30
  /// The maximum number of bytes from a pipe or terminal, whose size is unknown until its end.
  package static let mostPipedBytes = 256 << 20

  /// Returns the reason why a file is not read; nil if it can be read.
  ///
  /// - `facts`: The kind and size of the file, from `stat` or `fstat`.
  /// - `path`: The path by which the file was opened; it shows whether a shell passed the file to the process.
  /// - `mostBytes`: The maximum number of bytes to read. 1 GB by default.
  package static func problem(_ facts: stat, _ path: String, mostBytes: Int = mostBytes) -> String? {
    switch facts.st_mode & S_IFMT {
    case S_IFREG: facts.st_size > mostBytes ? tooLong(mostBytes) : nil
    case S_IFDIR: "is a folder"
    case _ where isHandedOver(path): nil
    default: "is not a regular file"
    }
  }

  /// Returns the reason for refusing a file that is too large.
  package static func tooLong(_ mostBytes: Int) -> String { "is larger than \(mostBytes >> 20) MB" }

  /// Returns true for `/dev/null`, and for a descriptor that is passed by name, such as standard input or a shell's
  /// `<(…)`.
  package static func isHandedOver(_ path: String) -> Bool {
    if ["/dev/stdin", "/dev/null"].contains(path) || path.hasPrefix("/dev/fd/") { return true }
    let steps = path.split(separator: "/", omittingEmptySubsequences: false)
    return steps.count == 5 && steps[1] == "proc" && steps[3] == "fd"
  }
}
