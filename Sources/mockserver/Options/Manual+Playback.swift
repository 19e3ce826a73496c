import MockServerConsole

/// The options for generated values, delays, faults and the clock.
extension Manual {
  static let seed = Option(
    "seed", .number(0...Int.max), "N",
    help:
      "The seed of random values, delays and faults: the same N repeats the same sequence for each session in every "
      + "run.")
  static let clock = Option(
    "clock", .text, "system|recorded|TIME", standard: "system",
    help: "The time used in responses: the current time; the current time, with recorded dates moved to today; or a "
      + "fixed TIME, such as 2026-11-22T12:00:00Z.")
  static let latency = Option(
    "latency", .text, "TIME",
    help: "The delay of responses that do not set their own: 50ms, 20ms..80ms, 80ms~0.4 (a median and a sigma), "
      + "recorded, or fitted to the recordings.")
  static let bandwidth = Option(
    "bandwidth", .size(1...(1 << 40)), "SIZE", standard: "no limit", help: "The number of body bytes sent per second.")
  static let playback = Command.Section(
    title: "Generated values and timing", options: [seed, clock, latency, bandwidth])
}
