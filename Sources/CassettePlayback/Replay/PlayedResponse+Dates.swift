internal import CassetteHTTP
internal import CassetteTemplates
internal import Cassettes

extension PlayedResponse {
  /// Moves the dates in fields and body; a body in a long file is left as it is.
  mutating func move(_ dates: MovedDates) {
    func moved(_ fields: HTTPHeaders) -> HTTPHeaders {
      HTTPHeaders(
        fields: fields.map { field in
          .init(name: field.name, value: dates.field(field.name, field.value), isLatin1: field.isLatin1)
        })
    }
    (headers, trailers) = (moved(headers), moved(trailers))
    let type = headers.mediaType
    guard type?.isText ?? true, !headers.contains("Content-Encoding") else { return }
    switch body {
    case .bytes(let bytes): if let text = dates.body(bytes) { body = .bytes(text) }
    case .pieces(let pieces, let breaksOff):
      body = .pieces(
        pieces.map { BodyChunk(after: $0.after, bytes: dates.body($0.bytes) ?? $0.bytes) }, breaksOff: breaksOff)
    case .file, .length, .measured: break
    }
  }
}
