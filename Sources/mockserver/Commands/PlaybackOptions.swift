import CassetteHTTP
import CassettePlayback
import Cassettes
import MockServerConsole
import MockServerOptions

/// The options that say how recordings play, whatever they say themselves.
extension Invocation {
  func playback() throws(CommandError) -> PlaybackSettings {
    var settings = PlaybackSettings()
    settings.seed = number(Manual.seed).map { UInt64($0) }
    if let text = text(Manual.clock) {
      guard let clock = PlaybackClock(text) else {
        throw CommandError(
          .usage, "--clock is system, recorded or a time, not \"\(text)\"",
          hint: "For instance: --clock 2026-11-22T12:00:00Z")
      }
      settings.clock = clock
    }
    settings.bytesPerSecond = number(Manual.bandwidth)
    if let text = text(Manual.latency) {
      guard let latency = Latency(text) else {
        throw CommandError(
          .usage, "--latency is a time, two with .. between them, recorded or fitted, not \"\(text)\"",
          hint: "For instance: --latency 20ms..80ms")
      }
      settings.latency = latency
    }
    return settings
  }
}
