/// The way a test reports oddities: requests that were answered, but not as recorded.
///
/// That is: answers by recordings that differ from the request in what may differ, recordings that were never asked
/// for, requests one after the other in another order than recorded, faults that no request was for, and requests that
/// come when the test is over. A server cannot tell in which order requests were sent, so that there order is not
/// judged.
public enum CassetteStrictness: Sendable {
  /// They fail the test, and requests are compared exactly unless `matching:` says otherwise.
  case strict
  /// They are mentioned as a warning.
  case warns
  /// Oddities are not reported.
  case relaxed
}
