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

  /// Creates settings under which everything plays as it is recorded.
  public init() {}
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
