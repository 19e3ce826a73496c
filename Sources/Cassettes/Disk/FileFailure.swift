internal import CassetteSystem

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The error of a file that could not be read or written.
package struct FileFailure: Error {
  package var message: String
  /// The remedy, as a clause; nil if the message contains it.
  package var remedy: String?
  /// True if the file is never read because of its kind or size, regardless of permissions.
  package private(set) var isUnsuitable = false

  /// Creates a failure with a message.
  package init(message: String) { self.message = message }

  /// Creates a failure for a file that is refused because of its kind or size.
  init(refusing path: String, _ problem: String) {
    message = "\(path) \(problem)"
    isUnsuitable = true
  }

  private init(_ action: String, _ path: String, code: Int32) {
    message = "cannot \(action) \(path): \(String(cString: strerror(code)))"
    remedy =
      switch code {
      case ENOSPC, EDQUOT: "free some space on the disk and try again"
      case EROFS: "name a writable place"
      case EACCES, EPERM: "grant this user the permission, or name another place"
      case ENOENT where action == "write", ENOTDIR: "create the folder first: mkdir -p \(Folder.parent(of: path))"
      default: nil
      }
  }

  /// Returns a failure for a path with the message of `errno`.
  package static func system(_ action: String, _ path: String) -> FileFailure {
    let code = errno
    // A symbolic link that must not be followed gives ELOOP, or ENOTDIR on Linux if a folder is opened.
    if code == ELOOP { return FileFailure(message: "\(path) is a symbolic link, which is not followed") }
    return FileFailure(action, path, code: code)
  }

  /// Returns a failure for a path with the system's message for a Foundation error.
  package static func foundation(_ error: any Error, _ action: String, _ path: String) -> FileFailure {
    let code: Int32? =
      switch (error as? CocoaError)?.code {
      case .fileNoSuchFile?, .fileReadNoSuchFile?: ENOENT
      case .fileWriteNoPermission?, .fileReadNoPermission?: EACCES
      case .fileWriteOutOfSpace?: ENOSPC
      case .fileWriteVolumeReadOnly?: EROFS
      default: nil
      }
    if let code { return FileFailure(action, path, code: code) }
    let reason = (error as? CocoaError).map { "error \($0.code.rawValue)" } ?? "\(error)"
    return FileFailure(message: "cannot \(action) \(path): \(reason)")
  }
}

extension CassetteError {
  /// Creates an error for a file that could not be read or written, with the failure's remedy.
  package init(_ failure: FileFailure, of file: String) {
    self.init(file: file, message: failure.message, suggestion: failure.remedy)
  }
}
