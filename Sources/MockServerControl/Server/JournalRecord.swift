internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerWire

/// One request of the journal, its head read again.
struct JournalRecord: Sendable {
  let entry: RequestJournal.Entry
  /// As it was sent, its body as far as it was kept; nil when the head does not read.
  let request: HTTPRequest?

  init(_ entry: RequestJournal.Entry) {
    self.entry = entry
    request = Self.parse(entry.head, entry.body)
  }

  /// The head as it was kept, read with limits that have let it through before.
  private static func parse(_ head: [UInt8], _ body: [UInt8]) -> HTTPRequest? {
    var parser = RequestParser(limits: ParserLimits(requestLine: .max, head: .max, fields: .max, body: .max))
    do throws(ParseError) {
      guard try parser.parse(head.span) else { return nil }
    } catch { return nil }
    return HTTPRequest(head: parser.head, bytes: head.span, body: body)
  }

  /// True if all of the body was kept.
  var isWhole: Bool { entry.body.count == entry.bodyLength }

  /// The session that it named; empty for none.
  var session: String { request?.headers["X-Mock-Session"] ?? "" }

  /// The outcome in a word.
  var outcome: String {
    switch entry.outcome {
    case .played: entry.status > 0 ? "played" : "failed"
    case .stub: entry.status > 0 ? "stub" : "failed"
    case .derived(let how, _): how == "fault" ? "fault" : "played"
    case .specified: "spec"
    case .recorded: entry.status > 0 ? "recorded" : "failed"
    case .miss: "miss"
    case .refused: "refused"
    }
  }

  static let outcomes = ["played", "stub", "fault", "spec", "recorded", "failed", "miss", "refused"]
}
