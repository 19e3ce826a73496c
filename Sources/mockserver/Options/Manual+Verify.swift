import CassetteMaintenance
import MockServerConsole

/// The command that verifies recordings.
extension Manual {
  static let verify = Command(
    name: .verify,
    summary: "Ask the origin again, or an OpenAPI document: does a recording tell the truth?",
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
        + "and compares shapes, not values. A field gone, a type, a status or a media type that is another is an "
        + "error; a new field is information. Redirects are not followed. A request that was recorded several times is "
        + "asked once, and compared with the recording it is nearest to.",
      "Exits 1 when a recording is no longer true, 69 when the origin gives no answer, 0 otherwise. With --accept, "
        + "answers of another shape take the place of the recorded ones, secrets taken out, and 1 means that something "
        + "was not taken; 401, 403, 429 and 5xx never are. Repeat the --redact and --keep it was recorded with.",
      "A CASSETTE is a file, or a folder of them; without one it is ./cassettes. Where {{secret:1}} stands, --secret 1 "
        + "puts the value of MOCKSERVER_SECRET_1. It is sent to the cassette's origin and to those that are named, and "
        + "never printed.",
      "--json prints one object: asked, true, untrue, unanswered and skipped are counts; recordings is an array with "
        + "cassette, line, id, also (ids of the same request), method, url, result (true, untrue, unanswered, skipped), "
        + "differences (severity error or information, kind, path, message), contract (severity, place, message, rule), "
        + "reason and accepted.",
      "--live --openapi SPEC holds what the origin answers to the document, too: what it says otherwise is told beside what "
        + "is no longer as recorded, and ends with 1. Nothing that is accepted mends that.",
      "--openapi alone asks nobody: each exchange of a cassette, a HAR or any file that import reads is held to its operation "
        + "of an OpenAPI 3.0 or 3.1 document (JSON or YAML). Parameters, bodies, fields and media types that the document "
        + "does not allow are errors; a status, a parameter or a field that it does not name is a warning. References "
        + "to other documents are refused by name. Exits 1 when there are errors. --json prints exchanges, errors, "
        + "warnings, recordings (file, line, id, request, operation, response, findings) and coverage (operation, responses).",
    ],
    examples: [
      "mockserver verify --live cassettes/github.json": "is it still true?",
      "MOCKSERVER_SECRET_1=$TOKEN mockserver verify --live github.json --secret 1": "with a token",
      "mockserver verify --openapi github.yaml cassettes/github.json": "does it keep the contract?",
      "mockserver verify --live github.json --accept": "take over what is different",
      "mockserver verify --live github.json --origin https://staging.example": "ask another server",
    ])

  static let openAPI = Option(
    "openapi", .path, "SPEC", repeats: true,
    help: "Hold recordings, with --live answers, to this OpenAPI document. May be repeated.")
  static let live = Option("live", help: "Ask the origin. Without it nothing is asked.")
  static let ids = Option("id", .text, "ID", repeats: true, help: "Ask for this recording alone. May be repeated.")
  static let methods = Option(
    "method", .text, "METHOD", repeats: true,
    help: "Ask requests of this method, too, such as POST: they may change something. May be repeated.")
  static let ignore = Option(
    "ignore", .text, "PLACE", repeats: true,
    help: "Do not compare this: $.items[*].id and all below it, or header:NAME. May be repeated.")
  static let accept = Option("accept", help: "Take answers of another shape into the cassette.")
  static let jsonReport = Option("json", help: "Print one JSON object for programs.")
  static let secret = Option(
    "secret", .text, "N", repeats: true,
    help: "Send the value of the environment's MOCKSERVER_SECRET_N where {{secret:N}} stands; --secret N=VALUE sends "
      + "that value, but shows it to every user of the machine. May be repeated.")
  static let origin = Option("origin", .text, "URL", help: "Ask this server instead of the cassette's origin.")
  static let also = Option(
    "also", .text, "URL", repeats: true, help: "Ask this origin, too, where recordings name it. May be repeated.")
  static let pause = Option(
    "pause", .seconds(0.0...3_600), "SECONDS", standard: "0", help: "Wait so long between two requests.")
  static let patience = Option(
    "timeout", .seconds(0.1...86_400), "SECONDS", standard: "30",
    help: "An origin that says nothing for longer is given up.")
}
