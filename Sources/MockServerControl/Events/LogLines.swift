internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// The lines of a log that are being written.
///
/// The parts of a line that are the same for each request to a recording are cached. Under load, lines are assembled
/// from bytes alone.
struct LogLines {
  /// The maximum size of the cache in bytes.
  private static let budget = 16 << 20

  /// The cached middle of a line, and the request for which it is valid.
  private struct Prepared {
    let request: [UInt8]
    let status: Int32
    let bytes: [UInt8]
  }

  private(set) var bytes: [UInt8] = []
  private let isJSON: Bool
  private var clock = LogClock()
  private var table: RecordingTable?
  private var prepared: [Prepared?] = []
  private var size = 0

  init(_ format: MockServerLogFormat) { isJSON = format == .json }

  /// Removes the lines, and keeps the capacity.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20) }

  // MARK: Answers

  /// Appends the line for a response.
  mutating func append(_ noted: NotedAnswer) {
    let note = noted.note
    begin(note.at)
    bytes.append(isJSON ? "\"event\":\"answer\",\"number\":" : "")
    bytes.append(decimal: note.number)
    appendMiddle(noted)
    if isJSON {
      bytes.append(",\"sentBytes\":")
      bytes.append(decimal: UInt64(clamping: note.sent))
      bytes.append(",\"duration\":")
      bytes.append(thousandths: UInt64(clamping: note.nanoseconds / 1_000), digits: 6)
      if note.isDisconnected { bytes.append(",\"disconnected\":true") }
      if note.sessionLength > 0 { appendMember("session", noted.session) }
      bytes.append("}\n")
    } else {
      bytes.append(" ")
      bytes.append(thousandths: UInt64(clamping: note.nanoseconds / 1_000), digits: 3)
      bytes.append(note.isDisconnected ? " ms, client disconnected" : " ms")
      if note.sessionLength > 0 { bytes.append(" session=\(Printable.escaped(noted.session))") }
      bytes.append("\n")
    }
  }

  private mutating func appendMiddle(_ noted: NotedAnswer) {
    let isPlain = noted.detail == nil && noted.note.entry >= 0 && noted.note.outcome == .played
    guard isPlain, let table = noted.table, noted.mask.recorded == nil else {
      bytes += middle(of: noted.answer)
      return
    }
    let entry = Int(noted.note.entry)
    if table !== self.table {
      self.table = table
      forget(table.entries.count)
    }
    if let kept = prepared[entry], kept.status == noted.note.status, kept.request.elementsEqual(noted.request) {
      bytes += kept.bytes
      return
    }
    let middle = middle(of: noted.answer)
    bytes += middle
    if size > Self.budget { forget(table.entries.count) }
    size += middle.count + noted.request.count + 64
    prepared[entry] = Prepared(request: Array(noted.request), status: noted.note.status, bytes: middle)
  }

  private mutating func forget(_ count: Int) {
    prepared = Array(repeating: nil, count: count)
    size = 0
  }

  /// Returns the part of a line between the number and the duration.
  private func middle(of answer: MockServerEvent.Answer) -> [UInt8] {
    // The number differs in every line and is written separately.
    guard isJSON else { return Array(answer.description.drop { $0 != " " }.utf8) }
    var lines = LogLines(.json)
    lines.appendMember("method", answer.method.rawValue)
    lines.appendMember("target", answer.target)
    if let status = answer.status {
      lines.bytes.append(",\"status\":")
      lines.bytes.append(decimal: UInt64(clamping: status.code))
    }
    lines.appendMember("outcome", answer.outcome.rawValue)
    lines.appendMember("recording", answer.recording)
    lines.appendMember("cassette", answer.cassette)
    lines.appendMember("approximate", answer.approximation)
    lines.appendMember("detail", answer.detail)
    return lines.bytes
  }

  // MARK: Other events

  /// Appends the line for an event, or the lines of its explanation.
  mutating func append(_ event: MockServerEvent) {
    begin(event.nanoseconds)
    if isJSON {
      bytes.append("\"event\":\"\(event.kind.name)\"")
      if case .miss(let miss) = event.kind { appendNumber(miss.number) }
      if case .approximate(let approximation) = event.kind { appendNumber(approximation.number) }
      if case .refused(let status) = event.kind { bytes.append(",\"status\":\(status.code)") }
      appendMember("message", event.description)
      bytes.append("}\n")
    } else {
      bytes.append("\(event.kind.label)\(event.description)\n")
    }
  }

  private mutating func appendNumber(_ number: UInt64) {
    bytes.append(",\"number\":")
    bytes.append(decimal: number)
  }

  private mutating func appendMember(_ name: String, _ value: String?) {
    guard let value else { return }
    bytes.append(",\"\(name)\":")
    bytes += JSONString.encode(value)
  }

  private mutating func begin(_ nanoseconds: Int) {
    if isJSON { bytes.append("{\"time\":\"") }
    clock.append(nanoseconds, to: &bytes)
    bytes.append(isJSON ? "\"," : " ")
  }
}

extension MockServerEvent.Kind {
  /// The name of the event in JSON logs.
  var name: String {
    switch self {
    case .request: "request"
    case .answer: "answer"
    case .miss: "miss"
    case .approximate: "approximate"
    case .refused: "refused"
    case .reload: "reload"
    case .fileBroken: "file-broken"
    case .answerBroken: "answer-broken"
    case .contract: "contract"
    case .handshakeRefused: "handshake-refused"
    case .recording: "recording"
    case .lost: "lost"
    }
  }

  /// The prefix of the description in text logs.
  fileprivate var label: String {
    switch self {
    case .request, .answer: ""
    case .refused: "- "
    case .miss: "mockserver: miss: "
    case .approximate: "mockserver: approximate: "
    case .contract: "mockserver: contract: "
    case .answerBroken: "mockserver: error: "
    default: "mockserver: "
    }
  }
}

/// A formatter of times in the log, which caches the text of the current second.
struct LogClock {
  private var second = Int.min
  private var prefix: [UInt8] = []

  /// Appends a time in UTC, such as `2026-11-22T08:43:54.123Z`.
  mutating func append(_ nanoseconds: Int, to bytes: inout [UInt8]) {
    let (second, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if second != self.second {
      self.second = second
      prefix = Array(Timestamp.format(nanoseconds: second * 1_000_000_000).utf8.prefix { $0 != UInt8(ascii: ".") })
    }
    bytes += prefix
    bytes.append(UInt8(ascii: "."))
    let milliseconds = UInt64(max(0, rest)) / 1_000_000
    for unit: UInt64 in [100, 10, 1] { bytes.append(UInt8(ascii: "0") + UInt8(milliseconds / unit % 10)) }
    bytes.append(UInt8(ascii: "Z"))
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { self += text.utf8 }

  /// Appends a number in decimal digits.
  mutating func append(decimal number: UInt64) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor *= 10 }
    while divisor > 0 {
      append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  /// Appends a fixed-point number.
  mutating func append(thousandths number: UInt64, digits: Int) {
    var unit: UInt64 = 1
    for _ in 0..<digits { unit *= 10 }
    append(decimal: number / unit)
    append(UInt8(ascii: "."))
    while unit > 1 {
      unit /= 10
      append(UInt8(ascii: "0") + UInt8(number / unit % 10))
    }
  }
}

/// A subscriber that writes the log as lines, with one write per delivery.
package final class LogWriter: EventSubscriber {
  package let interest: EventFeed.Interest
  private let level: MockServerLogLevel
  private let write: @Sendable ([UInt8]) -> Void
  private let lines: Locked<LogLines>

  /// Creates a writer.
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

/// The level of detail of the log.
public enum MockServerLogLevel: String, Sendable, CaseIterable {
  /// A line for every request.
  case requests
  /// The explanation of every miss.
  case misses
  /// A row for every request with a count of repeated rows, and on a terminal a status line.
  case table
  /// No lines for requests.
  case none
}

/// The format of the log.
public enum MockServerLogFormat: String, Sendable, CaseIterable {
  /// Text for people: time, number, request, status, recording, duration and session.
  case text
  /// One JSON object per line, for programs.
  case json
}
