import CassetteHTTP
import CassettePlayback
import CassetteSystem
import Cassettes

@testable import MockServerKit

/// Sample answers, noted without a server.
enum NotedSample {
  /// A table of one recording, `GET /a` with the id `a` in the cassette `test`.
  static var table: RecordingTable {
    get throws {
      var interaction = Interaction(
        method: .get, url: "/a", requestHeaders: [:], requestBody: nil,
        outcome: .response(RecordedResponse(status: 200)))
      interaction.id = "a"
      return RecordingTable(
        CassetteLibrary(cassettes: [Cassette(name: "test", interactions: [interaction])], fixtures: []))
    }
  }

  /// 22 November 2026, 08:43:54.123456789 UTC.
  static let time = 1_795_337_034_123_456_789

  /// Notes an answer in the ring, by default from the recording of `table`.
  @discardableResult
  static func note(
    _ number: UInt64, at time: Int = time, target: String = "/a", session: String = "", entry: Int32 = 0,
    _ outcome: MockServer.Event.Answer.Outcome = .played, detail: EventRing.Detail? = nil, status: Int32 = 200,
    in ring: EventRing
  ) -> EventRing.Urgency {
    var note = EventRing.Note()
    (note.number, note.at, note.nanoseconds, note.sent) = (number, time, 41_567, 12)
    (note.entry, note.status, note.outcome) = (entry, status, outcome)
    let (method, target, session) = (Array("GET".utf8), Array(target.utf8), Array(session.utf8))
    return ring.note(
      note, .miss, of: 0, head: method.span, body: [], isTold: true, method: method.span, target: target.span,
      session: session.span, detail)
  }
}

/// A subscriber that keeps the descriptions of its events.
final class KeptEvents: EventSubscriber {
  let interest: EventFeed.Interest
  let lines = Locked<[String]>([])
  let isFinished = Locked(false)

  init(_ interest: EventFeed.Interest = .answers) { self.interest = interest }

  func receive(_ events: NotedEvents) {
    lines.withLock { lines in
      for item in events {
        switch item {
        case .answer(let noted): lines.append(noted.event.description)
        case .event(let event): lines.append(event.description)
        }
      }
    }
  }

  func finish() { isFinished.withLock { $0 = true } }

  var heard: [String] { lines.withLock { $0 } }
}
