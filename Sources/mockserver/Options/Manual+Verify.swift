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
}
