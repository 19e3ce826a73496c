import MockServerConsole

/// The command that records again the requests in cassettes.
extension Manual {
  static let refresh = Command(
    name: .refresh,
    summary: "Record again what is safe to ask, and say what is different.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 0...Int.max),
    sections: [
      Command.Section(title: "Options", options: [intoReport, accepted, olderThanAsked, ids, methods]),
      Command.Section(title: "Secrets", options: [secret, redact, keep]),
      Command.Section(
        title: "The live server",
        options: [refreshUpstream, also, pause, patience, insecure, authority, certificate, key]),
    ],
    notes: [
      "Sends the recorded requests that only read (GET, HEAD, OPTIONS) to the cassette's origin, one after the other, and "
        + "takes the answers into the cassette, secrets taken out. What is different is written as Markdown for a pull "
        + "request: shapes first, then values, then places that differ each time, whose values the recording keeps. A "
        + "request that was recorded several times is asked once; the answer takes the place of the nearest.",
      "Recording costs no recordings: where the origin gives no answer, or 401, 403, 429 or 5xx, or says of a success "
        + "that it is none any more, what was recorded stays, and it is said. So do answers that are templates, streams, "
        + "and files that were changed meanwhile.",
      "--accept PLACE takes what is different there without a word. --older-than 60d asks for older recordings only, and "
        + "gives those that are still true today's date, for mockserver check --older-than; without it, recordings "
        + "that are still true stay as they are, byte for byte.",
      "Exits 1 when a shape is different in a way that breaks who relies on it, 69 when an origin gives no answer, 0 "
        + "otherwise. Repeat the --redact and --keep that a cassette was recorded with.",
    ],
    examples: [
      "mockserver refresh cassettes --into refresh.md": "the text of a pull request",
      "mockserver refresh cassettes/github.json --accept '$.followers'": "numbers that always grow",
      "mockserver refresh cassettes --older-than 60d --pause 1s": "each recording every other month",
    ])

  static let intoReport = Option(
    "into", .path, "FILE", standard: "standard output", help: "Write the report to this file.")
  static let accepted = Option(
    "accept", .text, "PLACE", repeats: true,
    help:
      "Take what is different here without telling: $.items[*].stars and all below it, or header:NAME. May be repeated."
  )
  static let olderThanAsked = Option(
    "older-than", .age, "AGE", help: "Ask for recordings that are older only, and renew their date: 60d, 8w.")
  static let refreshUpstream = Option(
    "upstream", .text, "URL", help: "Ask this server instead of the cassette's origin; links to it become the origin's."
  )
}
