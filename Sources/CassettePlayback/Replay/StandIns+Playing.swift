internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

extension StandIns {
  /// Replaces the placeholders of secrets in an answer.
  ///
  /// - `entry`: The number of the recording, used to remember recordings without placeholders.
  func render(_ played: inout PlayedResponse, of entry: Int? = nil) throws(CassetteError) {
    if let entry, free.withLock({ $0.contains(entry) }) { return }
    var isFree = true
    func render(_ headers: inout HTTPHeaders) {
      guard headers.contains(where: { rendered($0.value) != nil }) else { return }
      isFree = false
      headers = headers.replacing { rendered($0.value) }
    }
    render(&played.headers)
    render(&played.trailers)
    for index in played.interim.indices { render(&played.interim[index].headers) }
    let type = played.headers.mediaType
    if case .file(let file, let range) = played.body, type?.isText ?? true, try isIn(file) {
      played.body = .bytes(try PlayedBody.bytes(of: file, range))
    }
    if played.body.replace({ rendered($0) }) { isFree = false }
    if isFree, let entry { _ = free.withLock { $0.insert(entry) } }
  }

  /// Returns true if a file contains placeholders of secrets.
  private func isIn(_ file: BodyFile) throws(CassetteError) -> Bool {
    try freeFiles.finds(in: file) { () throws(CassetteError) in
      var isFound = false
      try file.eachPart(overlap: SecretAlias.longest * 2) { part in
        isFound = rendered(part) != nil
        return !isFound
      }
      return isFound
    }
  }
}
