import CassetteHTTP
import Cassettes

extension Interaction {
  /// Returns true if another recording has an equal request body and an equal outcome, so that either of them can be
  /// played.
  func isLike(_ other: Interaction) -> Bool {
    guard failure == other.failure, sameBytes(requestBody, other.requestBody) else { return false }
    guard let response else { return other.response == nil }
    guard let theirs = other.response else { return false }
    return response.status == theirs.status && response.headers == theirs.headers
      && response.isTemplate == theirs.isTemplate && response.interim.isEmpty && theirs.interim.isEmpty
      && sameBytes(response.body, theirs.body)
  }

  private func sameBytes(_ one: Body?, _ other: Body?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    guard let bytes = try? one.bytes(), let others = try? other.bytes() else { return false }
    return bytes == others
  }
}
