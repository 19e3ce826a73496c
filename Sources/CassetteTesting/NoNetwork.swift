import CassetteSession
import Cassettes
import Foundation
import Testing

extension NetworkDenial {
  /// Returns true if the environment denies the network; throws ``CassetteError`` if the variable's value is invalid.
  static func isDeniedForTests(
    by environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CassetteError) -> Bool {
    do throws(Problem) {
      return try isDenied(by: environment)
    } catch {
      throw CassetteError(file: variable, message: "\(error)")
    }
  }
}

extension Report {
  /// Returns a closure that fails the running test because of a refused request; nil outside of tests.
  static func accusation() -> NetworkDenial.Accusation? {
    guard let test = Test.current else { return nil }
    let (report, context) = (Report(test.sourceLocation), TaskContext())
    return { request in
      context.run {
        report.fail("another test denies the network, which this test used:\n  \(request)\n  \(NetworkDenial.remedy).")
      }
    }
  }

  /// Ends the denial of the network, warns of refused requests from unknown tests, and returns the message for this
  /// test's refused requests; nil if no request was refused.
  func refusal(_ denial: NetworkDenial?, _ ending: TestEnding) -> String? {
    guard let (certain, possible) = denial?.end() else { return nil }
    if !possible.isEmpty {
      let list = possible.map { "  \($0)" }.joined(separator: "\n")
      warn(
        "the network is denied, and code of an unknown test used the network while this test ran, so the run "
          + "fails:\n\(list)\n  \(NetworkDenial.remedy).")
    }
    guard !certain.isEmpty else { return nil }
    var lines = ["the network is denied while this test runs:"] + certain.map { "  \($0)" }
    lines.append("  \(NetworkDenial.remedy).")
    if let error = ending.error { lines.append("  The test then threw: \(error)") }
    return lines.joined(separator: "\n")
  }
}
