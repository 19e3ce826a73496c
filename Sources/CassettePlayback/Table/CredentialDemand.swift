internal import CassetteMatching
internal import Cassettes

/// The condition on a request's credentials under which a recording is its only answer.
enum CredentialDemand: Sendable {
  /// Credentials are ignored.
  case none
  /// The request must have credentials.
  case present
  /// The request must not have credentials.
  case absent
  /// The credentials must be compared in full.
  case compared

  init(_ entry: RecordingTable.Entry?) {
    guard let entry, !entry.isFixture, entry.level != .loose else {
      self = .none
      return
    }
    let fields = entry.interaction.requestHeaders
    let recorded = Credentials.presence(in: fields)
    self = fields.isEmpty ? .none : recorded.field ? .present : recorded.cookie ? .compared : .absent
  }
}
