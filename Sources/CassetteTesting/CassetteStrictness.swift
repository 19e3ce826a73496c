/// The way a test reports oddities: requests that were answered, but not as recorded.
///
/// Oddities are recordings that no request asked for, requests in another order than recorded, faults that no request
/// met, answers by recordings that differ from the request, requests after the end of the test, and a test without any
/// request. A server cannot tell in which order requests were sent, so that the order is not judged there.
public struct CassetteStrictness: Sendable, Hashable {
  package enum Level: Sendable, Hashable {
    case strict, warns, relaxed
  }

  package let level: Level
  /// True if answers by recordings that differ from the request are reported.
  package private(set) var reportsApproximations = true

  /// Oddities fail the test, and requests are compared exactly unless `matching:` says otherwise.
  public static let strict = CassetteStrictness(level: .strict)
  /// Oddities are warnings.
  ///
  /// Recordings that no test of a run asked for are one line for each file, at the end of the run.
  public static let warns = CassetteStrictness(level: .warns)
  /// Only answers by recordings that differ from the request are reported, as warnings.
  public static let relaxed = CassetteStrictness(level: .relaxed)

  /// The same strictness without reports of answers by recordings that differ from the request.
  public var allowingApproximations: CassetteStrictness {
    var strictness = self
    strictness.reportsApproximations = false
    return strictness
  }
}
