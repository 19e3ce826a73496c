import CassetteSession
import Foundation

/// The way a test reports deviations: requests that were answered, but not in the recorded way.
///
/// Deviations are recordings that no request used, requests in another order than recorded, faults that affected no
/// request, answers by recordings that differ from the request, requests after the end of the test, and a test without
/// any request. A server does not know the order in which requests were sent, so mock servers do not report the order.
public struct CassetteStrictness: Sendable, Hashable {
  package enum Level: Sendable, Hashable {
    case strict, warns, relaxed
  }

  package let level: Level
  /// True if answers by recordings that differ from the request are reported.
  package private(set) var reportsApproximations = true

  /// Deviations fail the test, and requests must equal their recordings except for the parts in `matching:`.
  public static let strict = CassetteStrictness(level: .strict)
  /// Deviations are warnings.
  ///
  /// Recordings that no test of the run used are reported at the end of the run, in one line per file.
  public static let warns = CassetteStrictness(level: .warns)
  /// Only answers by recordings that differ from the request are reported, as warnings.
  public static let relaxed = CassetteStrictness(level: .relaxed)

  /// True if answers by recordings that differ from the request fail the test.
  package private(set) var refusesApproximations = CassetteMode.isOn(
    ProcessInfo.processInfo.environment[Self.variable])

  /// The name of the environment variable; with the value `true` or `1`, answers by recordings that differ from the
  /// request fail all tests.
  static let variable = "CASSETTE_STRICT"

  /// The same strictness, but answers by recordings that differ from the request fail the test.
  public var refusingApproximations: CassetteStrictness {
    var strictness = self
    strictness.refusesApproximations = true
    return strictness
  }

  /// The same strictness without reporting answers by recordings that differ from the request.
  public var allowingApproximations: CassetteStrictness {
    var strictness = self
    strictness.reportsApproximations = false
    return strictness
  }
}
