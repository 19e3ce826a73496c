import CassettePlayback
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The responses of recordings when they were last played, for requests that ask for nothing else.
///
/// Making one for 1 KB takes 157,000 instructions, 122,000 of them Foundation's; all the rest of an exchange takes 97,000.
struct ResponseCache: Sendable {
  /// Bodies up to here are kept a second time.
  static let bodyLimit = 256 << 10
  /// The most bytes of all of them; beyond this everything kept is discarded.
  static let limit = 8 << 20

  /// The table that the numbers of the recordings belong to.
  private var table: RecordingTable?
  private var results: [Int: (url: URL, result: ExchangeResult)] = [:]
  /// The number of bytes of the bodies that are kept.
  private(set) var size = 0

  /// Returns the response that a recording of a table gave to a URL, as long as it may be given again.
  func result(of entry: Int, in table: RecordingTable, for url: URL) -> ExchangeResult? {
    guard self.table === table, let kept = results[entry], kept.url == url else { return nil }
    return kept.result
  }

  mutating func keep(_ result: ExchangeResult, of playback: Playback, for url: URL) {
    let more = result.bodySize
    guard more <= Self.bodyLimit else { return }
    // A file may change while a test runs.
    if case .file? = playback.recording.interaction.responseBody?.form { return }
    size -= results[playback.entry]?.result.bodySize ?? 0
    if table !== playback.table || size + more > Self.limit { (table, results, size) = (playback.table, [:], 0) }
    results[playback.entry] = (url, result)
    size += more
  }
}
