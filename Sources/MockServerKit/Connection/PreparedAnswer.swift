internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import MockServerWire

/// A recorded response as bytes, serialized once and sent many times; only date and connection fields are updated.
final class PreparedAnswer: Sendable {
  private let bytes: [UInt8]
  private let body: [UInt8]
  /// The offset of the CRLF that ends the head: connection fields are inserted before it.
  private let headEnd: Int
  /// The offset of the date's value; nil if the recording has its own date.
  private let dateOffset: Int?
  let status: Int
  let bodyLength: Int
  /// The answer in its recorded coding, and that coding.
  let coded: (answer: PreparedAnswer, coding: String)?

  /// Prepares an answer; returns nil if it has to be serialized for each request.
  init?(_ answer: PlayedResponse, date: [UInt8]) {
    guard answer.interim.isEmpty, answer.trailers.isEmpty else { return nil }
    var body: [UInt8] = []
    switch answer.body {
    case .bytes(let content): body = answer.status.allowsContent ? content : []
    case .length: break
    case .pieces, .measured, .file, .failure: return nil
    }
    var head = AnswerWriter.headWithoutFraming(answer, date: date)
    let dated = !answer.headers.contains("Date") && !answer.status.isInformational
    dateOffset = dated ? head.count - date.count - AnswerWriter.lineEnd.count : nil
    if let length = answer.length { ResponseSerializer.appendField("Content-Length", String(length), to: &head) }
    headEnd = head.count
    head += AnswerWriter.lineEnd
    // A small body is stored after its head: one copy, one write.
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

  /// Appends the answer to a request other than `HEAD`, with the current date.
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

extension PreparedAnswer {
  /// Returns the answer in its recorded coding if `Accept-Encoding` prefers it, and otherwise the decoded answer.
  func coded(for accepted: @autoclosure () -> [String]) -> PreparedAnswer {
    guard let coded else { return self }
    let accepted = accepted()
    return !accepted.isEmpty && AcceptedCodings(accepted).prefers(coded.coding) ? coded.answer : self
  }
}
