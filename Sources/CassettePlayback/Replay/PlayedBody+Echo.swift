internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

extension PlayedBody {
  /// Replaces the recorded ids in a body by those sent, even if an id spans several pieces.
  mutating func echo(_ echo: CallEcho) throws(CassetteError) {
    var echo = echo
    switch self {
    case .bytes(let bytes): self = .bytes(Self.edited([BodyChunk(bytes: bytes)], echo.edits(of: bytes))[0].bytes)
    case .file(let file, let range):
      let bytes = try Self.bytes(of: file, range)
      let edits = echo.edits(of: bytes)
      if !edits.isEmpty { self = .bytes(Self.edited([BodyChunk(bytes: bytes)], edits)[0].bytes) }
    case .pieces(let pieces, let breaksOff):
      self = .pieces(Self.edited(pieces, echo.edits(of: pieces.flatMap(\.bytes))), breaksOff: breaksOff)
    case .measured(let pieces, let length, let breaksOff):
      let edited = Self.edited(pieces, echo.edits(of: pieces.flatMap(\.bytes)))
      self = .measured(edited, length: length + edited.size - pieces.size, breaksOff: breaksOff)
    case .length, .failure: break
    }
  }

  private static func edited(_ pieces: [BodyChunk], _ edits: [(range: Range<Int>, id: [UInt8])]) -> [BodyChunk] {
    var edits = edits[...]
    var offset = 0
    return pieces.map { piece in
      let end = offset + piece.bytes.count
      defer { offset = end }
      var bytes: [UInt8] = []
      var at = 0
      while let (range, id) = edits.first, range.lowerBound < end {
        bytes += piece.bytes[at..<max(at, range.lowerBound - offset)]
        if range.lowerBound >= offset { bytes += id }
        at = min(range.upperBound, end) - offset
        if range.upperBound > end { break }
        edits.removeFirst()
      }
      return BodyChunk(after: piece.after, bytes: bytes + piece.bytes[at...])
    }
  }
}
