#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A copy of a descriptor that this process has open, such as a child process holds until its program runs.
///
/// It stands for the short time in which a child is being started: what must not depend on that can be tested without
/// starting one at the right moment.
package final class DescriptorCopy: Sendable {
  private let descriptor: Int32

  /// Copies the lowest descriptor that a file or folder is open under; nil when it is not open.
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
