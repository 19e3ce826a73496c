import CassettePlayback
import Cassettes
import MockServerConsole
import MockServerControl

/// The options for playback, which override the settings in cassettes.
extension Invocation {
  func playback() throws(CommandError) -> PlaybackSettings {
    var settings = PlaybackSettings()
    settings.seed = number(Manual.seed).map { UInt64($0) }
    if let clock = try reading(
      Manual.clock, "--clock must be system, recorded or a time", "--clock 2026-11-22T12:00:00Z", PlaybackClock.init)
    {
      settings.clock = clock
    }
    settings.bytesPerSecond = number(Manual.bandwidth)
    settings.latency = try reading(
      Manual.latency, "--latency must be a time, a range such as 20ms..80ms, recorded or fitted",
      "--latency 20ms..80ms",
      Latency.init)
    return settings
  }

  /// Parses the value of an option; nil if the option is missing.
  private func reading<Value>(
    _ option: Option, _ rule: String, _ example: String, _ read: (String) -> Value?
  ) throws(CommandError) -> Value? {
    guard let text = text(option) else { return nil }
    if let value = read(text) { return value }
    throw CommandError(.usage, "\(rule), not \"\(text)\"", hint: "For instance: \(example)")
  }
}
