import CassetteSession
internal import CassetteSystem
import Foundation
import Testing

/// Reports a request that came when its test was over, as an issue of that very test.
///
/// No test is running where such a request is noticed, so that the context of the test is kept for the report.
private final class LateRequest: Sendable {
  private let isTold = Flag()
  private let context = TaskContext()

  /// Reports the first only: a poll would go on for as long as the process runs.
  func tell(_ report: () -> Void) {
    guard !isTold.set() else { return }
    context.run(report)
  }
}

extension Report {
  /// Ends a player; whoever asks it later is told of, as strictly as is said, by the name and the place of its test.
  func end(_ player: CassettePlayer, _ strictness: CassetteStrictness) {
    let reason = "came after \"\(player.name)\" (\(location.fileID):\(location.line)) had ended"
    let late = LateRequest()
    player.end(reason) { message, isOfOtherTest in
      if isOfOtherTest { return late.tell { self.fail(message) } }
      guard strictness.level != .relaxed else { return }
      late.tell { self.tell("\(message); wait for it, or cancel it, before the test ends", strictness) }
    }
  }

  private func tell(_ message: String, _ strictness: CassetteStrictness) {
    if Test.current != nil { return strictness.level == .strict ? fail(message) : warn(message) }
    // XCTest would blame the test that runs now.
    FileHandle.standardError.write(Data("\(location.fileID):\(location.line): warning: \(message)\n".utf8))
  }
}
