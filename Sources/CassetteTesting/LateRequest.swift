import CassetteSession
internal import CassetteSystem
import Foundation
import Testing

/// Reports a request that came when its test was over, as an issue of that very test.
///
/// No test is running where such a request is noticed, and an issue recorded there is everybody's: each test that runs
/// at the time would have it. So a task that began in the test waits for the word, and is let go with this.
private final class LateRequest: Sendable {
  private let isTold = Flag()
  private let words: AsyncStream<String>.Continuation

  init(_ tell: @escaping @Sendable (String) -> Void) {
    let (stream, words) = AsyncStream.makeStream(of: String.self)
    self.words = words
    Task {
      for await message in stream { tell(message) }
    }
  }

  /// Reports the first only: a poll would go on for as long as the process runs.
  func note(_ message: String) {
    guard !isTold.set() else { return }
    words.yield(message)
    words.finish()
  }

  deinit { words.finish() }
}

extension Report {
  /// Ends a player; whoever asks it later is told of, as strictly as is said, by the name and the place of its test.
  func end(_ player: CassettePlayer, _ strictness: CassetteStrictness) {
    let reason = "came after \"\(player.name)\" (\(location.fileID):\(location.line)) had ended"
    guard strictness != .relaxed else { return player.end(reason) }
    let late = LateRequest { message in
      self.tell("\(message); wait for it, or cancel it, before the test ends", strictness)
    }
    player.end(reason) { late.note($0) }
  }

  private func tell(_ message: String, _ strictness: CassetteStrictness) {
    if Test.current != nil { return strictness == .strict ? fail(message) : warn(message) }
    // XCTest would blame the test that runs now.
    FileHandle.standardError.write(Data("\(location.fileID):\(location.line): warning: \(message)\n".utf8))
  }
}
