#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A copy of an open descriptor of this process, as a child process holds it until its program runs.
///
/// Simulates the short time in which a child process is started, so that a test does not need to start a child at the
/// right moment.
package final class DescriptorCopy: Sendable {
  private let descriptor: Int32

  /// Copies the lowest descriptor of a file or folder, or returns nil if it is not open.
  package init?(ofFile path: String) {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    let found = (0..<min(getdtablesize(), 1 << 16)).first { number in
      var open = stat()
      return fstat(number, &open) == 0 && open.st_ino == file.st_ino && open.st_dev == file.st_dev
    }
    guard let found else { return nil }
    descriptor = dup(found)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }
}
