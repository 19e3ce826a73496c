internal import CassetteSystem

/// Reads whole files.
package enum CassetteFileBytes {
  /// Reads the file at a path.
  ///
  /// The path may be a symbolic link, because the user chose it.
  ///
  /// Reads only regular files, and pipes that the process was given by name. Throws an error if the file is too long.
  package static func read(path: String, mostBytes: Int = ReadableFile.mostBytes) throws(FileFailure) -> [UInt8] {
    // Without `O_NONBLOCK`, opening a named pipe blocks until another process opens it for writing.
    let waits = ReadableFile.isHandedOver(path) ? 0 : O_NONBLOCK
    let file = DescriptorReserve.opening { open(path, O_RDONLY | O_CLOEXEC | waits) }
    guard file >= 0 else { throw .system("read", path) }
    defer {
      close(file)
      DescriptorReserve.refill()
    }
    return try read(file, path, mostBytes: mostBytes)
  }

  /// Reads an open file.
  ///
  /// The bytes are copied, not mapped: if an editor truncates a mapped file in place, a process that accesses the
  /// missing pages is killed (SIGBUS). The copy takes a tenth of the time of checking the bytes.
  package static func read(
    _ file: Int32, _ path: String, mostBytes: Int = ReadableFile.mostBytes
  ) throws(FileFailure) -> [UInt8] {
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw .system("read", path) }
    if let problem = ReadableFile.problem(facts, path, mostBytes: mostBytes) {
      throw FileFailure(refusing: path, problem)
    }
    // A file may grow while it is read, and some files in `/proc` have a size of 0.
    let isRegular = facts.st_mode & S_IFMT == S_IFREG
    let most = isRegular ? mostBytes : min(mostBytes, ReadableFile.mostPipedBytes)
    var bytes: [UInt8] = []
    // One byte more than the size, to detect the end of the file without another read; a file that grows in the
    // meantime needs one more.
    var size = max(Int(facts.st_size) + 1, 4096)
    while true {
      guard let more = systemReadAll(file, size, preparing: adviseHugePages) else { throw .system("read", path) }
      // The usual case: there is nothing to append to, so nothing is copied.
      if bytes.isEmpty { bytes = more } else { bytes += more }
      if more.count < size { return bytes }
      guard bytes.count <= most else { throw FileFailure(refusing: path, ReadableFile.tooLong(most)) }
      size = 1 << 20
    }
  }

  /// Requests huge pages for a large buffer: a page fault for each 4 KB takes as long as copying the bytes.
  private static func adviseHugePages(_ buffer: UnsafeMutableRawBufferPointer) {
    #if os(Linux)
      let pageSize = 4096
      guard buffer.count > 4 << 20, let start = buffer.baseAddress else { return }
      let skipped = -Int(bitPattern: start) & (pageSize - 1)
      // The call is only advice, so its result is ignored.
      madvise(start + skipped, (buffer.count - skipped) & ~(pageSize - 1), MADV_HUGEPAGE)
    #endif
  }

  /// Returns the path without links, `.` and `..`; nil if it does not exist.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the target of a symbolic link, which need not exist, or the path itself if it is not a link.
  package static func resolvingLink(_ path: String) -> String {
    guard Folder.linkTarget(of: path) != nil else { return path }
    if let real = realPath(path) { return real }
    var target = path
    // The limit of the system itself.
    for _ in 0..<40 {
      guard let next = Folder.linkTarget(of: target) else { return target }
      target = next.hasPrefix("/") ? next : Folder.join(Folder.parent(of: target), next)
    }
    return path
  }
}
