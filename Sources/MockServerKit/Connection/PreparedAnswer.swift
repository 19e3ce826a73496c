internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import MockServerWire

/// A recorded answer as bytes, made once and sent many times; only date and connection fields are put in each time.
final class PreparedAnswer {
  private let bytes: [UInt8]
  private let body: [UInt8]
  /// The offset of the CRLF that ends the head: connection fields go before it.
  private let headEnd: Int
  /// The offset of the date's text; nil when the recording has one of its own.
  private let dateOffset: Int?
  let status: Int
  let bodyLength: Int
  /// The answer in the coding it was recorded in, and that coding.
  let coded: (answer: PreparedAnswer, coding: String)?

  /// Prepares an answer, or nil when it cannot be the same each time.
  init?(_ answer: PlayedResponse, date: [UInt8]) {
    guard answer.interim.isEmpty, answer.trailers.isEmpty else { return nil }
    var body: [UInt8] = []
    switch answer.body {
    case .bytes(let content): body = answer.status.allowsContent ? content : []
    case .length: break
    case .pieces, .measured, .file: return nil
    }
    var head = AnswerWriter.headWithoutFraming(answer, date: date)
    let dated = !answer.headers.contains("Date") && !answer.status.isInformational
    dateOffset = dated ? head.count - date.count - AnswerWriter.lineEnd.count : nil
    if let length = answer.length { ResponseSerializer.appendField("Content-Length", String(length), to: &head) }
    headEnd = head.count
    head += AnswerWriter.lineEnd
    // A small body lies behind its head: one copy, one write.
    if body.count < Output.largeBody {
      bytes = head + body
      self.body = []
    } else {
      bytes = head
      self.body = body
    }
    coded = answer.coding.flatMap { coding in
      answer.coded.flatMap { PreparedAnswer($0, date: date) }.map { ($0, coding) }
    }
    status = answer.status.code
    bodyLength = body.count
  }

  /// The number of bytes in memory.
  var size: Int { bytes.count + body.count + (coded?.answer.size ?? 0) }

  /// Appends the answer to a request that is no `HEAD`, with the date of now.
  @inline(__always)
  func append(_ form: AnswerForm, date: [UInt8], to output: inout Output) {
    let start = output.bytes.count
    if form.persists, !form.saysKeepAlive {
      output.append(small: bytes)
    } else {
      output.append(bytes[..<headEnd])
      output.append(small: form.persists ? AnswerWriter.connectionKeepAlive : AnswerWriter.connectionClose)
      output.append(bytes[headEnd...])
    }
    if let dateOffset { output.overwrite(at: start + dateOffset, with: date) }
    if !body.isEmpty { output.append(body) }
  }
}

/// The prepared answers of one loop, by recording and by the address they were asked at.
///
/// Links in answers lead to the address the client used, so each address has answers of its own.
struct PreparedAnswers {
  /// The most bytes kept before all are forgotten: an answer that is played again is prepared again.
  private static let budget = 64 << 20
  /// Addresses kept; a client that makes up hosts costs only itself.
  private static let hosts = 4

  private struct HostAnswers {
    let host: [UInt8]
    var answers: [PreparedAnswer?]
  }

  private var kept: [HostAnswers] = []
  private var size = 0
  private let count: Int
  /// The recordings whose answers are not kept here: files, pieces, long bodies.
  var refused: Set<Int> = []

  init(count: Int) { self.count = count }

  /// The answer prepared for a recording and a host.
  @inline(__always)
  func answer(_ entry: Int, host: Span<UInt8>) -> PreparedAnswer? {
    for index in kept.indices where Self.equal(kept[index].host, host) { return kept[index].answers[entry] }
    return nil
  }

  /// Forgets the answers of a recording.
  mutating func forget(_ entry: Int) {
    for index in kept.indices { kept[index].answers[entry] = nil }
  }

  /// Keeps an answer.
  mutating func keep(_ answer: PreparedAnswer, for entry: Int, host: Span<UInt8>) {
    size += answer.size
    if size > Self.budget {
      kept = []
      size = answer.size
    }
    if let found = kept.indices.first(where: { Self.equal(kept[$0].host, host) }) {
      kept[found].answers[entry] = answer
      return
    }
    if kept.count >= Self.hosts { kept.removeFirst() }
    var new = HostAnswers(host: Array(host), answers: Array(repeating: nil, count: count))
    new.answers[entry] = answer
    kept.append(new)
  }

  @inline(__always)
  private static func equal(_ kept: [UInt8], _ host: Span<UInt8>) -> Bool {
    let kept = kept.span
    guard kept.count == host.count else { return false }
    for index in kept.indices where kept[index] != host[index] { return false }
    return true
  }
}
