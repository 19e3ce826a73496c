import CassetteMaintenance
import MockServerConsole

/// The command that verifies recordings.
extension Manual {
  static let verify = Command(
    name: .verify,
    summary: "Compare recordings with the live server or an OpenAPI document.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 0...Int.max),
    sections: [
      Command.Section(title: "Options", options: [live, ids, methods, ignore, accept, jsonReport, report]),
      Command.Section(title: "Specifications", options: [openAPI]),
      Command.Section(title: "Secrets", options: [secret, redact, keep]),
      Command.Section(
        title: "The live server",
        options: [origin, also, pause, patience, insecure, authority, certificate, key]),
    ],
    notes: [
      "Sends the recorded requests that only read (GET, HEAD, OPTIONS) to the cassette's origin, one after the other, "
        + "and compares the shapes of the responses, not their values. A missing field, or a changed type, status or "
        + "media type, is an error; a new field is information. Redirects are not followed. A request that was recorded "
        + "several times is sent once, and compared with the most similar recording.",
      "Exits 1 if a recording is no longer accurate, 69 if the origin does not answer, 0 otherwise. With --accept, "
        + "responses of another shape replace the recorded responses, without secrets, and 1 means that a response was "
        + "not accepted; 401, 403, 429 and 5xx are never accepted. Repeat the --redact and --keep that the cassette was "
        + "recorded with.",
      "A CASSETTE is a file or a folder of cassettes; the default is ./cassettes. --secret 1 replaces {{secret:1}} with "
        + "the value of MOCKSERVER_SECRET_1. The value is sent to the cassette's origin and to servers named in "
        + "options, and is never printed.",
      "--json prints one object: asked, true, untrue, unanswered and skipped are counts; recordings is an array with "
        + "cassette, line, id, also (ids of the same request), method, url, result (true, untrue, unanswered, skipped), "
        + "differences (severity error or information, kind, path, message), contract (severity, place, message, rule), "
        + "reason and accepted.",
      "--live --openapi SPEC also validates the origin's responses against the document. Violations are printed next to "
        + "the differences from the recording, and the exit code is 1, even if --accept accepts the response.",
      "--openapi without --live sends no requests: each exchange of a cassette, a HAR or any other file that import "
        + "reads is validated against its operation in an OpenAPI 3.0 or 3.1 document (JSON or YAML). Parameters, "
        + "bodies, fields and media types that the document does not allow are errors; a status, parameter or field "
        + "that it does not name is a warning. References to other documents are refused by name. Exits 1 if there are "
        + "errors. --json prints exchanges, errors, warnings, recordings (file, line, id, request, operation, response, "
        + "findings) and coverage (operation, responses).",
    ],
    examples: [
      "mockserver verify --live cassettes/github.json": "compare with the live server",
      "MOCKSERVER_SECRET_1=$TOKEN mockserver verify --live github.json --secret 1": "send a token",
      "mockserver verify --openapi github.yaml cassettes/github.json": "validate against a specification",
      "mockserver verify --live github.json --accept": "accept the differences",
      "mockserver verify --live github.json --origin https://staging.example": "compare with another server",
    ])

  static let openAPI = Option(
    "openapi", .path, "SPEC", repeats: true,
    help: "Validate recordings against this OpenAPI document; with --live, validate live responses. May be repeated.")
  static let live = Option("live", help: "Send requests to the origin. Without it none are sent.")
  static let ids = Option(
    "id", .text, "ID", repeats: true, help: "Send the request of this recording only. May be repeated.")
  static let methods = Option(
    "method", .text, "METHOD", repeats: true,
    help: "Also send requests with this method, such as POST: they may change data. May be repeated.")
  static let ignore = Option(
    "ignore", .text, "PLACE", repeats: true,
    help: "Do not compare this place: $.items[*].id and everything below it, or header:NAME. May be repeated.")
  static let accept = Option("accept", help: "Save responses of another shape in the cassette.")
  static let jsonReport = Option("json", help: "Print one JSON object.")
  static let secret = Option(
    "secret", .text, "N", repeats: true,
    help: "Replace {{secret:N}} with the value of the environment variable MOCKSERVER_SECRET_N; --secret N=VALUE gives "
      + "the value directly, visible to every user of the machine. May be repeated.")
  static let origin = Option(
    "origin", .text, "URL", help: "Send requests to this server instead of the cassette's origin.")
  static let also = Option(
    "also", .text, "URL", repeats: true,
    help: "Also send requests that were recorded from this origin. May be repeated.")
  static let pause = Option(
    "pause", .seconds(0.0...3_600), "SECONDS", standard: "0", help: "The pause between two requests.")
  static let patience = Option(
    "timeout", .seconds(0.1...86_400), "SECONDS", standard: "30",
    help: "How long to wait for data from the origin before giving up.")

  // MARK: The command that records again the requests in cassettes

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
