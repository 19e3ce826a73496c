import MockServerConsole

/// The command that records again the requests in cassettes.
extension Manual {
  static let refresh = Command(
    name: .refresh,
    summary: "Record safe requests again, and report the differences.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 0...Int.max),
    sections: [
      Command.Section(title: "Options", options: [intoReport, accepted, olderThanAsked, ids, methods]),
      Command.Section(title: "Secrets", options: [secret, redact, keep]),
      Command.Section(
        title: "The live server",
        options: [refreshUpstream, also, pause, patience, insecure, authority, certificate, key]),
    ],
    notes: [
      "Sends the recorded requests that only read (GET, HEAD, OPTIONS) to the cassette's origin, one after the other, "
        + "and saves the responses in the cassette without secrets. The differences are reported as Markdown for a pull "
        + "request: changed shapes first, then changed values, then values that differ on every request, for which the "
        + "cassette keeps the recorded value. A request that was recorded several times is sent once; the response "
        + "replaces the most similar recording.",
      "A failed refresh never loses a recording: if the origin does not answer, answers with 401, 403, 429 or 5xx, or "
        + "answers with a failure where a success was recorded, the recording stays and is reported. So are responses "
        + "with templates, streams, and files that changed while the command ran.",
      "--accept PLACE accepts differences there without reporting them. --older-than 60d requests only older "
        + "recordings, and sets today's date on recordings that are still accurate, for mockserver check --older-than; "
        + "without it, recordings that are still accurate stay unchanged, byte for byte.",
      "Exits 1 if a shape changed in a way that breaks clients, 69 if an origin does not answer, 0 otherwise. Repeat "
        + "the --redact and --keep that the cassette was recorded with.",
    ],
    examples: [
      "mockserver refresh cassettes --into refresh.md": "write the report for a pull request",
      "mockserver refresh cassettes/github.json --accept '$.followers'": "accept a number that always changes",
      "mockserver refresh cassettes --older-than 60d --pause 1s": "refresh each recording every two months",
    ])

  static let intoReport = Option(
    "into", .path, "FILE", standard: "standard output", help: "Write the report to this file.")
  static let accepted = Option(
    "accept", .text, "PLACE", repeats: true,
    help:
      "Accept differences at this place without reporting them: $.items[*].stars and everything below it, or "
      + "header:NAME. May be repeated."
  )
  static let olderThanAsked = Option(
    "older-than", .age, "AGE", help: "Refresh only recordings that are older than this, and renew their date: 60d, 8w.")
  static let refreshUpstream = Option(
    "upstream", .text, "URL",
    help:
      "Send requests to this server instead of the cassette's origin; links to this server are rewritten to the origin."
  )
}
