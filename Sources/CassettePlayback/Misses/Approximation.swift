internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// An answer by a recording that differs from the request within the limits of its rules; the answer is marked.
public struct Approximation: Sendable {
  /// The number of the request.
  public let number: UInt64
  /// The method and URL that were sent, with secrets masked.
  public let request: String
  /// The recording that answered, with its differences from the request.
  public let recording: Miss.Nearest
  /// The parts that differ, as the field `Mockserver-Approximate` lists them: `body $.id, $.sentAt; credentials`.
  public let parts: String

  init(_ request: HTTPRequest, number: UInt64, _ entry: RecordingTable.Entry, _ mismatches: [Mismatch]) {
    self.number = number
    self.request = "\(request.method.rawValue) \(SecretNames.masked(url: request.pathAndQuery))"
    recording = Miss.Nearest(entry, mismatches)
    parts = Self.parts(of: mismatches)
  }

  /// The explanation for users, with control characters escaped: the request, the recording and the differences.
  public var text: String {
    let lines = ["\(request) was answered by a recording that differs from it in \(parts)."] + recording.lines("by")
    return lines.map(Printable.escaped).joined(separator: "\n")
  }

  /// Returns the kinds of differences in the order of their first occurrence, each with its places.
  private static func parts(of mismatches: [Mismatch]) -> String {
    var kinds: [(name: String, places: [String])] = []
    for mismatch in mismatches {
      let kind = mismatch.part.prefix { $0 != "." }
      let place = mismatch.part.dropFirst(kind.count + 1)
      let index = kinds.firstIndex { $0.name == kind } ?? kinds.endIndex
      if index == kinds.endIndex { kinds.append((String(kind), [])) }
      if !place.isEmpty { kinds[index].places.append(String(place)) }
    }
    return kinds.map { kind in
      let most = 8
      let more = kind.places.count > most ? ["and \(kind.places.count - most) more"] : []
      let places = kind.places.prefix(most).map(fieldText) + more
      return places.isEmpty ? kind.name : "\(kind.name) \(places.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  private static let visible = ByteSet(0x20...0x7e)

  /// Returns a path as a header field may contain it: visible ASCII (RFC 9110 §5.5), other bytes percent-encoded.
  private static func fieldText(_ place: String) -> String {
    String(decoding: PercentEncoding.encode(place.utf8.prefix(200), keeping: visible), as: UTF8.self)
  }
}
