internal import CassetteSystem

/// Writes the log: a subscriber that makes lines of events and hands over all lines of a moment together.
package final class LogWriter: EventSubscriber {
  package let interest: EventFeed.Interest
  private let level: MockServerLogLevel
  private let write: @Sendable ([UInt8]) -> Void
  private let lines: Locked<LogLines>

  /// Creates a writer of whole lines, several at a time.
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

  /// Tells whether the log reports an event: trouble always, traffic as its level says.
  private func writes(_ kind: MockServerEvent.Kind) -> Bool {
    switch kind {
    case .request: false
    case .answer, .refused: level == .requests
    case .miss: level != .none
    // The line of the answer names it.
    case .approximate: level == .misses
    case .contract: level != .none
    case .reload, .fileBroken, .answerBroken, .handshakeRefused, .recording, .lost: true
    }
  }
}
