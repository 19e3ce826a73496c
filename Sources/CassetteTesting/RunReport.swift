internal import CassetteJSON
package import CassettePlayback
import CassetteSession
internal import CassetteSystem
internal import Cassettes

/// Appends a line about the recordings that a test played to the file in `CASSETTE_REPORT`.
///
/// Each line is appended under a lock, so that concurrent tests and processes can share the file.
package enum RunReport {
  /// The name of the environment variable with the path of the file.
  package static let variable = "CASSETTE_REPORT"

  private static let path: String? = {
    guard let value = getenv(variable) else { return nil }
    let path = String(cString: value)
    return path.isEmpty ? nil : path
  }()

  /// Appends a line for a test if the environment variable is set; returns the reason if the file cannot be written.
  package static func append(
    _ test: String, _ table: RecordingTable, hasFailed: Bool, missed: [String], approximate: [String]
  ) -> String? {
    guard let path else { return nil }
    let bytes = line(test, table, hasFailed: hasFailed, missed: missed, approximate: approximate)
    let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { return failure(path) }
    defer { systemClose(file) }
    // Other processes wait, because a long line may take more than one write.
    while flock(file, LOCK_EX) != 0, errno == EINTR {}
    // A process that was killed may have written an incomplete line.
    var last: UInt8 = 0x0a
    let end = lseek(file, 0, SEEK_END)
    if end > 0 { _ = pread(file, &last, 1, end - 1) }
    return systemWriteAll(file, (last == 0x0a ? [] : [0x0a]) + bytes) ? nil : failure(path)
  }

  private static func failure(_ path: String) -> String {
    "\(variable)=\(path) cannot be written: \(String(cString: strerror(errno)))"
  }

  /// Returns the line with a line feed.
  static func line(
    _ test: String, _ table: RecordingTable, hasFailed: Bool, missed: [String], approximate: [String]
  ) -> [UInt8] {
    let never = Set(table.neverPlayed)
    var played: [String: [String]] = [:]
    for (number, entry) in table.entries.enumerated() where !entry.isFixture {
      // Stubs are not recordings.
      guard let file = entry.interaction.place?.file, file.hasSuffix(".json") else { continue }
      played[file, default: []] += never.contains(number) ? [] : [entry.interaction.id]
    }
    var json = JSONWriter()
    json.object { line in
      line.member("test", test)
      line.member("failed", hasFailed)
      line.array("cassettes") { list in
        for (file, ids) in played.sorted(by: { $0.key < $1.key }) {
          list.object { cassette in
            cassette.member("file", CassetteFileBytes.realPath(file) ?? file)
            cassette.array("played") { list in for id in ids { list.element(id) } }
          }
        }
      }
      line.array("missed") { list in for request in missed { list.element(request) } }
      line.array("approximate") { list in for request in approximate { list.element(request) } }
    }
    return json.bytes + [0x0a]
  }
}
