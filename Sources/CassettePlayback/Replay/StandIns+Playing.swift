internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

extension StandIns {
  /// Puts them into an answer.
  ///
  /// - Parameters:
  ///   - played: The answer as it is recorded.
  ///   - entry: The recording it is of, by which it is known whether there is anything to do.
  /// - Throws: When the body is in a file that cannot be read.
  func render(_ played: inout PlayedResponse, of entry: Int? = nil) throws(CassetteError) {
    if let entry, free.withLock({ $0.contains(entry) }) { return }
    var isFree = true
    func render(_ headers: inout HTTPHeaders) {
      guard headers.contains(where: { rendered($0.value) != nil }) else { return }
      isFree = false
      headers = HTTPHeaders(
        fields: headers.map { .init(name: $0.name, value: rendered($0.value) ?? $0.value, isLatin1: $0.isLatin1) })
    }
    render(&played.headers)
    render(&played.trailers)
    for index in played.interim.indices { render(&played.interim[index].headers) }
    let type = played.headers.mediaType
    if let body = try rendered(played.body, isText: type?.isText ?? true) {
      played.body = body
      isFree = false
    }
    if isFree, let entry { _ = free.withLock { $0.insert(entry) } }
  }

  private func rendered(_ body: PlayedBody, isText: Bool) throws(CassetteError) -> PlayedBody? {
    func rendered(_ pieces: [BodyChunk]) -> [BodyChunk]? {
      let changed = pieces.map { BodyChunk(after: $0.after, bytes: self.rendered($0.bytes) ?? $0.bytes) }
      return changed == pieces ? nil : changed
    }
    switch body {
    case .length: return nil
    case .bytes(let bytes): return self.rendered(bytes).map { .bytes($0) }
    case .pieces(let pieces, let breaksOff): return rendered(pieces).map { .pieces($0, breaksOff: breaksOff) }
    case .measured(let pieces, _, let breaksOff):
      return rendered(pieces).map { pieces in
        .measured(pieces, length: pieces.reduce(0) { $0 + $1.bytes.count }, breaksOff: breaksOff)
      }
    case .file(let file, let range):
      guard isText else { return nil }
      var isFound = false
      try file.eachPart(overlap: SecretAlias.longest * 2) { part in
        isFound = self.rendered(part) != nil
        return !isFound
      }
      return isFound ? self.rendered(PlayedBody.bytes(of: file, range)).map { .bytes($0) } : nil
    }
  }
}
