import CassetteHTTP
import CassettePlayback
import Cassettes
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What recordings became when they were last played, for requests that ask for nothing else.
///
/// Making a response of Foundation's costs more than all the rest of a hop.
struct KeptHops: Sendable {
  /// Bodies up to here are kept a second time.
  static let bodyLimit = 256 << 10
  /// Bytes of all of them; beyond this keeping begins anew.
  static let limit = 8 << 20

  /// What the numbers of the recordings are of.
  private var reel: Reel?
  private var hops: [Int: (url: URL, hop: Hop)] = [:]
  /// Bytes of the bodies that are kept.
  private(set) var size = 0

  /// Whether a recording is played in the same way to every such request.
  static func isSettled(_ playback: Playback, for request: HTTPRequest) -> Bool {
    guard playback.derivation == nil, playback.faults.isEmpty, !request.headers.contains("Origin") else { return false }
    if playback.replay != nil { return false }
    // A file may change while a test runs.
    if case .file? = playback.recording.interaction.response?.body?.form { return false }
    return true
  }

  subscript(playback: Playback, url: URL) -> Hop? {
    guard reel === playback.reel, let kept = hops[playback.entry], kept.url == url else { return nil }
    return kept.hop
  }

  mutating func keep(_ hop: Hop, of playback: Playback, for url: URL) {
    let more = hop.bodySize
    guard more <= Self.bodyLimit else { return }
    size -= hops[playback.entry]?.hop.bodySize ?? 0
    if reel !== playback.reel || size + more > Self.limit { (reel, hops, size) = (playback.reel, [:], 0) }
    hops[playback.entry] = (url, hop)
    size += more
  }
}
