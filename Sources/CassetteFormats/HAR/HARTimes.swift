internal import CassetteHTTP
import Cassettes

/// Times as HAR has them: milliseconds, and a date that must be there.
enum HARTimes {
  /// The value of `startedDateTime` when the time is not known: the schema wants one.
  static let unknown = "1970-01-01T00:00:00Z"

  /// Returns the facts of a recording's time, of milliseconds as an entry has them; nil when nothing is known.
  static func facts(start: String?, firstByte: Double?, total: Double?) -> RecordedFacts? {
    var facts = RecordedFacts()
    if let at = start.flatMap(Timestamp.normal), !at.hasPrefix(unknown.dropLast()) { facts.at = at }
    if let firstByte, firstByte > 0 { facts.firstByte = seconds(firstByte) }
    if let total, total > 0 { facts.total = seconds(total) }
    return facts == RecordedFacts() ? nil : facts
  }

  /// Returns the times that an entry shows.
  static func entry(of facts: RecordedFacts?) -> (start: String, wait: Double, receive: Double) {
    let wait = facts?.firstByte ?? 0
    return (
      facts?.at.flatMap(Timestamp.normal) ?? unknown, milliseconds(wait),
      milliseconds(max(0, (facts?.total ?? wait) - wait))
    )
  }

  /// Returns seconds to the microsecond: finer digits are noise of the division.
  private static func seconds(_ milliseconds: Double) -> Double? {
    guard milliseconds.isFinite, milliseconds < 1e9 else { return nil }
    return (milliseconds * 1000).rounded() / 1_000_000
  }

  private static func milliseconds(_ seconds: Double) -> Double {
    seconds.isFinite && seconds > 0 ? (seconds * 1_000_000).rounded() / 1000 : 0
  }
}
