import CassetteSession
import Foundation
import Synchronization
import Testing

extension Report {
  /// Ends a player; whoever asks it later is told of by the name and the place of its test.
  ///
  /// - Parameters:
  ///   - player: Whose test is over.
  ///   - strictness: Whether a late request is a failure, a warning, or nothing beyond its own error.
  func end(_ player: CassettePlayer, _ strictness: Strictness) {
    let place = "\(location.fileID):\(location.line)"
    let reason = "came after \"\(player.name)\" (\(place)) had ended"
    guard strictness != .relaxed else { return player.end(reason) }
    let first = First()
    let ofTesting = Test.current != nil
    player.end(reason) { message in
      // One is enough: whoever polls would go on for as long as the process runs.
      guard first.isNow() else { return }
      self.tell(message, strictness, ofTesting)
    }
  }

  /// True once.
  private final class First: Sendable {
    private let isOver = Atomic(false)

    func isNow() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
  }

  /// No test is running where this is called: the issue is the run's, at the place of the test that is over.
  private func tell(_ message: String, _ strictness: Strictness, _ ofTesting: Bool) {
    let message = "\(message); wait for it, or cancel it, before the test ends"
    #if compiler(>=6.3)
      if ofTesting {
        Issue.record("\(message)", severity: strictness == .strict ? .error : .warning, sourceLocation: location)
        return
      }
    #endif
    FileHandle.standardError.write(Data("\(location.fileID):\(location.line): warning: \(message)\n".utf8))
  }
}
