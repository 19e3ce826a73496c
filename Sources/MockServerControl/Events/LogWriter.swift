internal import CassetteSystem

/// A subscriber that writes the log as lines, with one write per delivery.
package final class LogWriter: EventSubscriber {
  package let interest: EventFeed.Interest
  private let level: MockServerLogLevel
  private let write: @Sendable ([UInt8]) -> Void
  private let lines: Locked<LogLines>

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - level: The level of the log.
  ///   - format: The format of the lines.
  ///   - write: A function that writes complete lines.
  package init(_ level: MockServerLogLevel, _ format: MockServerLogFormat, write: @escaping @Sendable ([UInt8]) -> Void)
  {
    self.level = level
    self.write = write
    interest = level == .requests ? .answers : []
    lines = Locked(LogLines(format))
  }

  package func receive(_ events: NotedEvents) {
    let bytes = lines.withLock { lines in
      lines.removeAll()
      for item in events {
        switch item {
        case .answer(let answer): if level == .requests { lines.append(answer) }
        case .event(let event): if writes(event.kind) { lines.append(event) }
        }
      }
      return lines.bytes
    }
    if !bytes.isEmpty { write(bytes) }
  }

  /// Returns true if the log reports an event: problems always, requests depending on the level.
  private func writes(_ kind: MockServerEvent.Kind) -> Bool {
    switch kind {
    case .request: false
    case .answer, .refused: level == .requests
    case .miss: level != .none
    // At the level `requests`, the line of the response already describes the approximation.
    case .approximate: level == .misses
    case .contract: level != .none
    case .reload, .fileBroken, .answerBroken, .handshakeRefused, .recording, .lost: true
    }
  }
}
