internal import CassettePlayback
internal import Cassettes

extension PlayedResponse {
  /// Returns the response with the gaps between its pieces divided by a factor; 0 removes the gaps.
  func played(at speed: Double) -> PlayedResponse {
    guard speed != 1, case .pieces(let pieces, let breaksOff) = body else { return self }
    var response = self
    let faster = pieces.map { BodyChunk(after: speed > 0 ? $0.after / speed : 0, bytes: $0.bytes) }
    response.body = .pieces(faster, breaksOff: breaksOff)
    return response
  }
}
