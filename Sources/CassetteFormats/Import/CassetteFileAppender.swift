internal import CassetteSystem
import Cassettes

/// Appends to a new file and writes it in blocks of 256 KB.
final class CassetteFileAppender {
  private let name: String
  private let file: Int32
  private var pending: [UInt8] = []

  init(_ name: String, in folder: borrowing CassetteFileFolder) throws(FileFailure) {
    self.name = name
    file = try folder.create(name)
  }

  deinit { close(file) }

  func append(_ bytes: [UInt8]) throws(FileFailure) {
    pending += bytes
    if pending.count >= 1 << 18 { try flush() }
  }

  func finish() throws(FileFailure) {
    try flush()
    guard fsync(file) == 0 else { throw .system("write", name) }
  }

  private func flush() throws(FileFailure) {
    try FileBytes.write(pending, to: file, name)
    pending.removeAll(keepingCapacity: true)
  }
}
