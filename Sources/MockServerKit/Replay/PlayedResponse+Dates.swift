internal import CassetteHTTP
internal import CassettePlayback
internal import Cassettes

extension PlayedResponse {
  /// Shifts the dates in fields and body; a body in a long file is not changed.
  mutating func move(_ dates: MovedDates) {
    headers = headers.replacing { dates.field($0.name, $0.value) }
    trailers = trailers.replacing { dates.field($0.name, $0.value) }
    let type = headers.mediaType
    guard type?.isText ?? true, !headers.contains("Content-Encoding") else { return }
    body.replace(dates.body)
  }
}
