/// The time before an answer begins.
public enum Latency: Hashable, Sendable {
  /// The recorded time, which also delays the body.
  case recorded
  /// A random time from a log-normal distribution that is fitted to the recordings of the cassette.
  case fitted
  /// A fixed time in seconds.
  case seconds(Double)
  /// A random time between two numbers of seconds.
  case uniform(Double, Double)
  /// A random time from a log-normal distribution, in seconds: half of all answers take less than the median, a few
  /// much longer.
  case logNormal(median: Double, sigma: Double)

  /// The maximum: a day, in seconds.
  package static let longest = 86_400.0

  /// Parses `recorded`, `fitted`, `50ms`, `20ms..80ms` or `80ms~0.4`, a median and a sigma; returns nil for any other
  /// text, and for more than a day.
  ///
  /// The units are `ms`, `s`, `min` and `h`.
  public init?(_ text: String) {
    switch text {
    case "recorded": self = .recorded
    case "fitted": self = .fitted
    default:
      if let dots = text.firstRange(of: "..") {
        guard let least = Self.seconds(text[..<dots.lowerBound]), let most = Self.seconds(text[dots.upperBound...]),
          least <= most
        else { return nil }
        self = .uniform(least, most)
      } else if let tilde = text.firstIndex(of: "~") {
        guard let median = Self.seconds(text[..<tilde]), let sigma = Double(text[text.index(after: tilde)...]),
          (0...10).contains(sigma)
        else { return nil }
        self = .logNormal(median: median, sigma: sigma)
      } else {
        guard let seconds = Self.seconds(text[...]) else { return nil }
        self = .seconds(seconds)
      }
    }
  }

  /// The text that ``init(_:)`` parses.
  package var text: String {
    switch self {
    case .recorded: "recorded"
    case .fitted: "fitted"
    case .seconds(let seconds): Self.text(seconds)
    case .uniform(let least, let most): "\(Self.text(least))..\(Self.text(most))"
    case .logNormal(let median, let sigma): "\(Self.text(median))~\(sigma)"
    }
  }

  private static func text(_ seconds: Double) -> String {
    let milliseconds = seconds * 1000
    return milliseconds == milliseconds.rounded() ? "\(Int(milliseconds))ms" : "\(seconds)s"
  }

  /// The units of a time in seconds; a time without a unit is in seconds.
  private static let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("min", 60), ("h", 3600)]

  private static func seconds(_ text: Substring) -> Double? {
    let unit = units.first { text.hasSuffix($0.suffix) }
    guard let number = Double(text.dropLast(unit?.suffix.utf8.count ?? 0)), number >= 0 else { return nil }
    // Dividing is exact for milliseconds, multiplying is not.
    let seconds = unit?.suffix == "ms" ? number / 1000 : number * (unit?.seconds ?? 1)
    return seconds <= longest ? seconds : nil
  }
}
