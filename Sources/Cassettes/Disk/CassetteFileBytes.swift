internal import CassetteSystem

/// Reads whole files.
package enum CassetteFileBytes {
  /// Reads the file at a path, which may be a symbolic link: it is the user who names it.
  package static func read(path: String) throws(FileFailure) -> [UInt8] {
    // A pipe that lies among files has nobody at its other end, and would be waited for; one that a shell hands over is read.
    let waits = isHandedOver(path) ? 0 : O_NONBLOCK
    let file = DescriptorReserve.opening { open(path, O_RDONLY | O_CLOEXEC | waits) }
    guard file >= 0 else { throw .system("read", path) }
    defer {
      close(file)
      DescriptorReserve.refill()
    }
    return try read(file, path)
  }

  /// True for a descriptor that the process was given by name: standard input, or a shell's `<(…)`.
  private static func isHandedOver(_ path: String) -> Bool { path.hasPrefix("/dev/") || path.hasPrefix("/proc/") }

  /// Reads an open file.
  ///
  /// They are copied, not mapped: an editor that truncates a mapped file in place kills every process that then touches
  /// the pages which are gone (SIGBUS). The copy costs a tenth of what checking the bytes does.
  package static func read(_ file: Int32, _ path: String) throws(FileFailure) -> [UInt8] {
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw .system("read", path) }
    guard facts.st_mode & S_IFMT != S_IFDIR else { throw FileFailure(message: "\(path) is a folder") }
    guard facts.st_mode & S_IFMT == S_IFREG || isHandedOver(path) else {
      throw FileFailure(message: "\(path) is not a file")
    }
    var bytes: [UInt8] = []
    // One more than its size, to see the end without another round; a file that grows meanwhile takes another.
    var size = max(Int(facts.st_size) + 1, 4096)
    while true {
      guard let more = systemReadAll(file, size, preparing: adviseHugePages) else { throw .system("read", path) }
      // The usual case: nothing to append to, nothing copied.
      if bytes.isEmpty { bytes = more } else { bytes += more }
      if more.count < size { return bytes }
      size = 1 << 20
    }
  }

  /// Asks for large pages under a large file: a page fault for each 4 KB takes as long as copying the bytes.
  private static func adviseHugePages(_ buffer: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      let pageSize = 4096
      guard buffer.count > 4 << 20, let start = buffer.baseAddress else { return }
      let skipped = -Int(bitPattern: start) & (pageSize - 1)
      // Advice only: where it is not taken, nothing is lost.
      madvise(start + skipped, (buffer.count - skipped) & ~(pageSize - 1), MADV_HUGEPAGE)
    #endif
  }

  /// Returns the path without links, `.` and `..`; nil when nothing is there.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the file a symbolic link leads to, which need not be there yet, or the path itself.
  package static func resolvingLink(_ path: String) -> String {
    guard Folder.linkTarget(of: path) != nil else { return path }
    if let real = realPath(path) { return real }
    var target = path
    // As many as the system itself follows.
    for _ in 0..<40 {
      guard let next = Folder.linkTarget(of: target) else { return target }
      target = next.hasPrefix("/") ? next : Folder.join(Folder.parent(of: target), next)
    }
    return path
  }
}
