/// The settings of playback that apply to all recordings: chance, the clock, time that passes, faults.
///
/// A player may get others while requests come in.
public struct PlaybackSettings: Sendable {
  /// The seed of random values; nil makes others for each request.
  ///
  /// With a seed they are a function of it, the session and the request: method, path, query and body.
  public var seed: UInt64?
  /// The clock that answers tell the time by.
  public var clock = PlaybackClock.system
  /// The latency of answers that do not say it themselves; nil for none.
  public var latency: Latency?
  /// The number of bytes of a body sent in a second; nil for no limit.
  public var bytesPerSecond: Int?
  /// The faults that are put between recordings and clients.
  public var faults: [CassetteFault] = []

  /// Creates settings under which everything plays as it is recorded.
  public init() {}

  /// True if answers leave at once and as they are: one that is the same each time may be kept ready.
  package var isPlain: Bool { latency == nil && bytesPerSecond == nil && faults.isEmpty && clock != .recorded }
}

/// The clock that a mock's answers tell the time by.
public enum PlaybackClock: Hashable, Sendable {
  /// Now; recorded dates stay as they are.
  case system
  /// Now, and recorded dates move by as much as makes the newest recording one of today.
  case recorded
  /// Always this moment, in seconds since 1970.
  case fixed(Double)
}
