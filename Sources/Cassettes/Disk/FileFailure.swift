internal import CassetteSystem

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The error of a file that could not be read or written.
package struct FileFailure: Error {
  package var message: String
  /// The remedy, as a clause; nil where the message says it.
  package var remedy: String?
  /// True if the file is never read because of its kind or size, regardless of permissions.
  package private(set) var isUnsuitable = false

  /// Creates a failure with its reason in words.
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
      case ENOSPC, EDQUOT: "free some space on that disk and do it again"
      case EROFS: "name another place, which can be written to"
      case EACCES, EPERM: "give whoever runs this the right to, or name another place"
      case ENOENT where action == "write", ENOTDIR: "make the folder first: mkdir -p \(Folder.parent(of: path))"
      default: nil
      }
  }

  /// Returns the system's error for a path, in words.
  package static func system(_ action: String, _ path: String) -> FileFailure {
    let code = errno
    // A symlink where none may be is ELOOP; Linux says ENOTDIR when a folder was asked for.
    if code == ELOOP { return FileFailure(message: "\(path) is a symbolic link, which a cassette may not follow") }
    return FileFailure(action, path, code: code)
  }

  /// Returns Foundation's error for a path, in the system's words.
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
  /// Creates the error of a file that could not be read or written, with what helps.
  package init(_ failure: FileFailure, of file: String) {
    self.init(file: file, message: failure.message, suggestion: failure.remedy)
  }
}
