/// The settings of playback that apply to all recordings: random seed, clock, latency, rate and faults.
///
/// The settings of a player can change while it answers requests.
public struct PlaybackSettings: Sendable {
  /// The seed of random values; nil for different values in each request.
  ///
  /// With a seed, the values are a function of the seed, the session and the request: method, path, query and body.
  public var seed: UInt64?
  /// The clock that answers use.
  public var clock = PlaybackClock.system
  /// The latency of answers that do not specify one; nil for none.
  public var latency: Latency?
  /// The number of bytes of a body sent per second; nil for no limit.
  public var bytesPerSecond: Int?
  /// The faults to apply to answers.
  public var faults: [CassetteFault] = []

  /// Creates settings under which recordings play unchanged.
  public init() {}

  /// True if answers are sent immediately and unchanged, so that a constant answer can be cached.
  package var isPlain: Bool { latency == nil && bytesPerSecond == nil && faults.isEmpty && clock != .recorded }
}

/// The clock that the answers of a mock use.
public enum PlaybackClock: Hashable, Sendable {
  /// The current time; recorded dates stay unchanged.
  case system
  /// The current time; recorded dates are shifted so that the newest recording is from today.
  case recorded
  /// A constant time, in seconds since 1970.
  case fixed(Double)
}
