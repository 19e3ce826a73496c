import MockServerConsole

/// The options for generated values, delays, faults and the clock.
extension Manual {
  static let seed = Option(
    "seed", .number(0...Int.max), "N",
    help: "Make random values, delays and faults from N: the same sequence for a session's request, in every run.")
  static let clock = Option(
    "clock", .text, "system|recorded|TIME", standard: "system",
    help: "What time it is in answers: now; now, with recorded dates moved to today; or always TIME, such as "
      + "2026-11-22T12:00:00Z.")
  static let latency = Option(
    "latency", .text, "TIME",
    help: "How long answers take that do not say it themselves: 50ms, 20ms..80ms, 80ms~0.4 (a median and a sigma), "
      + "recorded, or fitted to the recordings.")
  static let bandwidth = Option(
    "bandwidth", .size(1...(1 << 40)), "SIZE", standard: "no limit", help: "How many bytes of a body come in a second.")
  static let playback = Command.Section(
    title: "Answers that compute, and time", options: [seed, clock, latency, bandwidth])
}
