internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The log as a table on a terminal, with one row per request, a count of repeated rows and a status line at the
/// bottom.
///
/// Without a terminal it writes plain lines, and a count after repeated lines.
struct LogTable {
  /// The counters in the status line.
  private struct Counts {
    var requests = 0
    var misses = 0
    var approximate = 0
    /// The time of the last request.
    var last = 0
  }

  /// The maximum number of rows per delivery on a terminal.
  ///
  /// Further rows are only counted.
  private static let mostRows = 200

  /// The bytes to write.
  private(set) var bytes: [UInt8] = []
  /// The number of columns of the terminal; nil for a file or a pipe.
  private let columns: Int?
  private let colors: Bool
  private var clock = LogClock()
  private var counts = Counts()
  /// The last row without its time, and the number of its repetitions.
  private var last: (row: String, times: Int)?
  private var hasStatus = false
  private var rows = 0
  private var folded = 0

  /// Creates a table.
  ///
  /// - `columns`: The number of columns of the terminal; nil for a file or a pipe.
  /// - `colors`: True to use colors. The default is false.
  /// - `before`: The table whose state is continued; nil (the default) for a new table.
  init(columns: Int?, colors: Bool = false, after before: LogTable? = nil) {
    (self.columns, self.colors) = (columns, colors)
    guard let before else { return }
    (counts, last, hasStatus) = (before.counts, before.last, before.hasStatus)
  }

  // MARK: Rows

  /// Adds the row of a response.
  ///
  /// The row of a miss is added with its explanation.
  mutating func append(_ answer: MockServerEvent.Answer, at nanoseconds: Int) {
    count(at: nanoseconds)
    guard answer.outcome != .miss else { return }
    if answer.approximation != nil { counts.approximate += 1 }
    let state =
      answer.approximation != nil ? "approximate" : answer.outcome == .played ? "answered" : answer.outcome.rawValue
    let words = [answer.recordingName, answer.approximation.map { "differs in \($0)" }, answer.detail].compactMap(
      \.self)
    let session = answer.session.isEmpty ? "" : " [\(answer.session)]"
    let status = answer.status.map { "\($0.code)" } ?? "-"
    append(
      "\(Self.padded(state, 11)) \(Self.padded(status, 3)) \(Self.padded(answer.method.rawValue, 6)) \(answer.target)"
        + "\(session)  \(words.joined(separator: " "))", at: nanoseconds, isTrouble: answer.outcome != .played)
  }

  /// Adds the row of an event.
  ///
  /// The row of a miss includes the differences from the nearest recording.
  mutating func append(_ event: MockServerEvent) {
    switch event.kind {
    case .request, .answer, .approximate: return
    case .miss(let miss):
      counts.misses += 1
      let near = miss.nearest.first.map { near in
        let differs = near.mismatches.first.map { "\($0)" } ?? "played as often as recorded"
        return
          "  near \(near.id): \(differs)\(near.mismatches.count > 1 ? " and \(near.mismatches.count - 1) more" : "")"
      }
      append("\(Self.padded("missed", 11))     \(miss.request)\(near ?? "")", at: event.nanoseconds, isTrouble: true)
    default:
      let line = event.description.prefix { $0 != "\n" }
      append("\(Self.padded(event.kind.name, 11))     \(line)", at: event.nanoseconds, isTrouble: true)
    }
  }

  private mutating func append(_ text: String, at nanoseconds: Int, isTrouble: Bool) {
    let row = Printable.escaped(text)
    if let last, last.row == row {
      self.last = (row, last.times + 1)
      // A terminal shows the count immediately, a file after the last repetition.
      if columns != nil { rewrite(at: nanoseconds, isTrouble) }
      return
    }
    endRun()
    last = (row, 1)
    rows += 1
    if columns != nil, rows > Self.mostRows {
      folded += 1
      return
    }
    clearStatus()
    write(row, times: 1, at: nanoseconds, isTrouble)
  }

  /// Writes the number of repetitions of the previous row to a file.
  private mutating func endRun() {
    guard columns == nil, let last, last.times > 1 else { return }
    bytes += "  … \(last.times) times\n".utf8
  }

  private mutating func rewrite(at nanoseconds: Int, _ isTrouble: Bool) {
    guard let last, folded == 0 else { return }
    clearStatus()
    // Moves the cursor up one line and erases that line.
    bytes += "\u{1b}[A\u{1b}[2K".utf8
    write(last.row, times: last.times, at: nanoseconds, isTrouble)
  }

  private mutating func write(_ row: String, times: Int, at nanoseconds: Int, _ isTrouble: Bool) {
    var time: [UInt8] = []
    clock.append(nanoseconds, to: &time)
    // A terminal needs only the time, because its rows are from today.
    let shown = columns == nil ? time[...] : time.dropFirst(11).dropLast(1)
    let line = "\(String(decoding: shown, as: UTF8.self)) \(row)"
    let count = times > 1 ? " ×\(times)" : ""
    let fitted = fitted(line, besides: count.count) + count
    bytes += (colors && isTrouble ? "\u{1b}[31m\(fitted)\u{1b}[0m" : fitted).utf8
    bytes.append(10)
  }

  // MARK: The status line

  /// Shows the status line below the rows.
  mutating func showStatus() {
    guard columns != nil else { return }
    clearStatus()
    if folded > 0 { bytes += "… \(folded) more rows are not shown\n".utf8 }
    let misses = "\(counts.misses) \(counts.misses == 1 ? "miss" : "misses")"
    var time: [UInt8] = []
    clock.append(counts.last, to: &time)
    let last = String(decoding: time.dropFirst(11).prefix(8), as: UTF8.self)
    let line = "\(counts.requests) requests, \(misses), \(counts.approximate) approximate, the last at \(last) UTC"
    let fitted = fitted(line, besides: 0)
    bytes += (colors ? "\u{1b}[7m\(fitted)\u{1b}[0m" : fitted).utf8
    hasStatus = true
  }

  /// Ends the table and removes the status line.
  mutating func finish() {
    endRun()
    clearStatus()
    last = nil
  }

  private mutating func clearStatus() {
    guard hasStatus else { return }
    bytes += "\r\u{1b}[2K".utf8
    hasStatus = false
  }

  private mutating func count(at nanoseconds: Int) {
    counts.requests += 1
    counts.last = nanoseconds
  }

  /// Returns a line shortened to the width of the terminal.
  private func fitted(_ line: String, besides used: Int) -> String {
    guard let columns, line.count + used >= columns else { return line }
    return line.prefix(max(0, columns - used - 2)) + "…"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

/// A subscriber that writes the log as a table, with one write per delivery.
package final class LogTableWriter: EventSubscriber {
  package let interest: EventFeed.Interest = .answers
  private let columns: @Sendable () -> Int?
  private let colors: Bool
  private let write: @Sendable ([UInt8]) -> Void
  private let table: Locked<LogTable>

  /// Creates a writer.
  ///
  /// - `columns`: A function that returns the current number of columns of the terminal; nil for a file or a pipe.
  /// - `colors`: True to use colors.
  package init(
    columns: @escaping @Sendable () -> Int?, colors: Bool, write: @escaping @Sendable ([UInt8]) -> Void
  ) {
    (self.columns, self.colors, self.write) = (columns, colors, write)
    table = Locked(LogTable(columns: columns(), colors: colors))
  }

  package func receive(_ events: NotedEvents) {
    let width = columns()
    let bytes = table.withLock { table in
      table = LogTable(columns: width, colors: colors, after: table)
      for item in events {
        switch item {
        case .answer(let noted): table.append(noted.answer, at: noted.note.at)
        case .event(let event): table.append(event)
        }
      }
      table.showStatus()
      return table.bytes
    }
    if !bytes.isEmpty { write(bytes) }
  }

  package func finish() {
    let bytes = table.withLock { table in
      table = LogTable(columns: columns(), colors: colors, after: table)
      table.finish()
      return table.bytes
    }
    if !bytes.isEmpty { write(bytes) }
  }
}
