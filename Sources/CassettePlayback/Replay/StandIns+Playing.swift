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

  /// Tells whether there is any to put into a file's text.
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
