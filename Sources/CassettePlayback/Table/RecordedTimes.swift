internal import CassetteHTTP
internal import CassetteSystem
internal import Cassettes

/// The times and durations of recordings, computed on first use.
final class RecordedTimes: Sendable {
  /// A log-normal distribution, and an upper limit of twice the longest recorded time.
  struct Fit: Sendable, Equatable {
    var median: Double
    var sigma: Double
    var longest: Double

    /// Fits the mean and deviation of the times' logarithms; returns nil if there are no positive times.
    init?(_ times: [Double]) {
      let logs = times.filter { $0 > 0 && $0.isFinite }.map { log($0) }
      guard !logs.isEmpty else { return nil }
      let mean = logs.reduce(0, +) / Double(logs.count)
      let variance = logs.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(logs.count)
      (median, sigma) = (exp(mean), variance.squareRoot())
      longest = (times.max() ?? 0) * 2
    }
  }

  private let fits = Locked<[String: Fit?]>([:])
  /// The time of loading, in seconds since 1970.
  private let loaded = time(nil)
  private let moved = Locked<MovedDates??>(nil)

  /// Returns the shift from the newest recording's date to the time of loading; nil if no recording has a date.
  func movedDates(in table: RecordingTable) -> MovedDates? {
    if let known = moved.withLock({ $0 }) { return known }
    let newest = table.entries.lazy.compactMap { entry in
      entry.interaction.recorded?.at.flatMap { ISOTime(Array($0.utf8)[...])?.seconds }
    }.max()
    let dates = newest.map { MovedDates(by: loaded - $0) }
    moved.withLock { $0 = .some(dates) }
    return dates
  }

  /// Returns the distribution of a cassette's times, fitted on first use.
  func fit(of cassette: String, in table: RecordingTable) -> Fit? {
    if let known = fits.withLock({ $0[cassette] }) { return known }
    let times = table.entries.lazy.filter { $0.cassette == cassette }.compactMap { entry in
      entry.interaction.recorded.flatMap { $0.firstByte ?? $0.total }
    }
    let fit = Fit(Array(times))
    fits.withLock { $0[cassette] = fit }
    return fit
  }
}
