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
  /// text.
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

  private static func seconds(_ text: Substring) -> Double? {
    let isMilliseconds = text.hasSuffix("ms")
    let digits = text.dropLast(isMilliseconds ? 2 : text.hasSuffix("s") ? 1 : 0)
    guard let number = Double(digits), number >= 0 else { return nil }
    let seconds = isMilliseconds ? number / 1000 : number
    return seconds <= longest ? seconds : nil
  }
}
