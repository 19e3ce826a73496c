import CassetteSession
import Cassettes
import Foundation

extension NetworkDenial {
  /// Tells whether the environment denies the network.
  ///
  /// - Parameter environment: The environment's variables.
  /// - Returns: Whether it says `deny`.
  /// - Throws: ``CassetteError`` for another word.
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
  /// Ends what kept the process off the network, and warns of what others may have asked.
  ///
  /// - Parameters:
  ///   - denial: What kept it; nil for nothing.
  ///   - ending: How the test itself ended.
  /// - Returns: The words for what was refused to this test, and for the error it threw; nil when nothing was.
  func refusal(_ denial: NetworkDenial?, _ ending: TestEnding) -> String? {
    guard let (certain, possible) = denial?.end() else { return nil }
    if !possible.isEmpty {
      let list = possible.map { "  \($0)" }.joined(separator: "\n")
      warn("the network is denied, and some code asked while this test ran:\n\(list)\n  \(NetworkDenial.remedy).")
    }
    guard !certain.isEmpty else { return nil }
    var lines = ["the network is denied while this test runs:"] + certain.map { "  \($0)" }
    lines.append("  \(NetworkDenial.remedy).")
    if let error = ending.error { lines.append("  The test then threw: \(error)") }
    return lines.joined(separator: "\n")
  }
}
