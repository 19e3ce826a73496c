internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerWire

/// A request in the journal with its parsed head.
struct JournalRecord: Sendable {
  let entry: RequestJournal.Entry
  /// The request as received, with the kept part of its body; nil if the head cannot be parsed.
  let request: HTTPRequest?

  init(_ entry: RequestJournal.Entry) {
    self.entry = entry
    request = Self.parse(entry.head, entry.body)
  }

  /// Parses a kept head without limits, because it was within the limits when it was received.
  private static func parse(_ head: [UInt8], _ body: [UInt8]) -> HTTPRequest? {
    var parser = RequestParser(limits: ParserLimits(requestLine: .max, head: .max, fields: .max, body: .max))
    do throws(ParseError) {
      guard try parser.parse(head.span) else { return nil }
    } catch { return nil }
    return HTTPRequest(head: parser.head, bytes: head.span, body: body)
  }

  /// True if the complete body was kept.
  var isWhole: Bool { entry.body.count == entry.bodyLength }

  /// The session named by the request; empty without a session.
  var session: String { request?.headers["X-Mock-Session"] ?? "" }

  /// The outcome as a single word.
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

extension RequestJournal.Entry {
  /// The session that it named; empty for none.
  package var session: String { JournalRecord(self).session }
}
