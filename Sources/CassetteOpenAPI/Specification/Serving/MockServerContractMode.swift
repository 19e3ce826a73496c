/// The treatment of requests and recordings that violate a specification.
public enum MockServerContractMode: String, Sendable, CaseIterable {
  /// Requests that violate the contract are refused, and violations by recordings are reported.
  case fail
  /// Violations are reported in the response, the log and the journal, without other effects.
  case note
  /// Exchanges are not checked.
  ///
  /// The specification only responds to requests without a recording.
  case off
}
