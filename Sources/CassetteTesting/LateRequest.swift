import CassetteSession
internal import CassetteSystem
import Foundation
import Testing

/// Reports a request that was sent after the end of its test as an issue of that test.
///
/// No test is running when such a request arrives, so the task context of the test is kept for the report.
private final class LateRequest: Sendable {
  private let isTold = Flag()
  private let context = TaskContext()

  /// Reports only the first late request, because a client that polls would be reported until the process exits.
  func tell(_ report: () -> Void) {
    guard !isTold.set() else { return }
    context.run(report)
  }
}

extension Report {
  /// Ends a player; later requests are reported with the name and position of its test, according to the strictness.
  func end(_ player: CassettePlayer, _ strictness: CassetteStrictness) {
    let reason = "was sent after \"\(player.name)\" (\(location.fileID):\(location.line)) had ended"
    let late = LateRequest()
    player.end(reason) { message, isOfOtherTest in
      if isOfOtherTest { return late.tell { self.fail(message) } }
      guard strictness.level != .relaxed else { return }
      late.tell { self.tell("\(message); await or cancel the request before the test ends", strictness) }
    }
  }

  private func tell(_ message: String, _ strictness: CassetteStrictness) {
    if Test.current != nil { return strictness.level == .strict ? fail(message) : warn(message) }
    // XCTest would attribute the issue to the test that is running now.
    FileHandle.standardError.write(Data("\(location.fileID):\(location.line): warning: \(message)\n".utf8))
  }
}
