internal import CassetteSystem
internal import Cassettes

/// The durations of recordings, computed on first use.
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
