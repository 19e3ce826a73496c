internal import CassetteHTTP
import Cassettes

/// Converts the times of HAR, which are in milliseconds, with a mandatory date.
enum HARTimes {
  /// The value of `startedDateTime` for an unknown time, because the member is mandatory.
  static let unknown = "1970-01-01T00:00:00Z"

  /// Returns the recorded time of an entry, or nil if nothing is known.
  ///
  /// - Parameters:
  ///   - start: The date of the request.
  ///   - firstByte: The time until the first byte of the response, in milliseconds.
  ///   - total: The duration of the whole exchange, in milliseconds.
  /// - Returns: The times, in seconds.
  static func facts(start: String?, firstByte: Double?, total: Double?) -> RecordedFacts? {
    var facts = RecordedFacts()
    if let at = start.flatMap(Timestamp.normal), !at.hasPrefix(unknown.dropLast()) { facts.at = at }
    if let firstByte, firstByte > 0 { facts.firstByte = seconds(firstByte) }
    if let total, total > 0 { facts.total = seconds(total) }
    return facts == RecordedFacts() ? nil : facts
  }

  /// Returns the date of an entry, and its `wait` and `receive` times in milliseconds.
  static func entry(of facts: RecordedFacts?) -> (start: String, wait: Double, receive: Double) {
    let wait = facts?.firstByte ?? 0
    return (
      facts?.at.flatMap(Timestamp.normal) ?? unknown, milliseconds(wait),
      milliseconds(max(0, (facts?.total ?? wait) - wait))
    )
  }

  /// Converts milliseconds to seconds, rounded to microseconds to remove errors of the division.
  private static func seconds(_ milliseconds: Double) -> Double? {
    guard milliseconds.isFinite, milliseconds < 1e9 else { return nil }
    return (milliseconds * 1000).rounded() / 1_000_000
  }

  private static func milliseconds(_ seconds: Double) -> Double {
    seconds.isFinite && seconds > 0 ? (seconds * 1_000_000).rounded() / 1000 : 0
  }
}
