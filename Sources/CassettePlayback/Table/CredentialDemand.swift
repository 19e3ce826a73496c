internal import CassetteMatching
internal import Cassettes

/// The condition on a request's credentials under which a recording alone answers it.
enum CredentialDemand: Sendable {
  /// Nothing: any request is like it.
  case none
  /// There were some.
  case present
  /// There were none.
  case absent
  /// More than a look at the fields' names tells.
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
