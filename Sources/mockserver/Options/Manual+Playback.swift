/// Options for answers that compute.
extension Manual {
  static let seed = Option(
    "seed", .number(0...Int.max), "N",
    help: "Make random values and faults from N: the same for the same session and request, in every run.")
  static let clock = Option(
    "clock", .text, "system|recorded|TIME", standard: "system",
    help: "What time it is in templates: now, or always TIME, such as 2026-11-22T12:00:00Z.")
  static let playback = Command.Section(title: "Answers that compute", options: [seed, clock])
}
