/// The way to record a missing answer where a deck plays, so that a miss can say what to type.
package enum RecordCommand: Hashable, Sendable {
  /// There is no command for it.
  case unknown
  /// A test records, run by itself.
  case test(filter: String?)
  /// A server records from an origin.
  case server
  /// A proxy records.
  case proxy

  /// The command, as it is typed; nil when there is none.
  ///
  /// - Parameters:
  ///   - origin: Scheme and authority of who is to be asked, if it is known.
  ///   - file: The cassette it is added to, if it is known.
  /// - Returns: The command line.
  func line(origin: String?, file: String?) -> String? {
    switch self {
    case .unknown: return nil
    case .test(let filter):
      let filter = filter.map { " --filter \(Self.quoted($0))" } ?? ""
      return "CASSETTE_MODE=record-missing swift test\(filter)"
    case .server:
      return
        "mockserver record --missing --upstream \(origin ?? "URL") --cassette \(file.map(Self.quoted) ?? "FILE")"
    case .proxy: return "mockserver proxy --missing --cassette \(file.map(Self.quoted) ?? "FILE")"
    }
  }

  /// Quotes a text so that a shell takes it for one word.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return isPlain && !word.isEmpty
      ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
