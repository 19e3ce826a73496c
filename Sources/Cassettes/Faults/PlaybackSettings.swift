/// How recordings play, whatever they say: chance, the clock, time that passes, faults.
///
/// A player may get others while requests come in.
public struct PlaybackSettings: Sendable {
  /// From what random values are made; nil makes others for each request.
  ///
  /// With a seed they are a function of it, the session and the request: method, path, query and body.
  public var seed: UInt64?
  /// What time it is in answers.
  public var clock = PlaybackClock.system
  /// How long answers take that do not say it themselves; nil for as fast as can be.
  public var latency: Latency?
  /// How many bytes of a body come in a second; nil for as many as can be.
  public var bytesPerSecond: Int?
  /// What goes wrong.
  public var faults: [Fault] = []

  /// Creates settings under which everything plays as it is recorded.
  public init() {}

  /// Whether answers leave at once and as they are: one that is the same each time may be kept ready.
  package var isPlain: Bool { latency == nil && bytesPerSecond == nil && faults.isEmpty && clock != .recorded }
}

/// What time it is in a mock's answers.
public enum PlaybackClock: Hashable, Sendable {
  /// Now; recorded dates stay as they are.
  case system
  /// Now, and recorded dates move by as much as makes the newest recording one of today.
  case recorded
  /// Always this moment, in seconds since 1970.
  case fixed(Double)
}
