import CassetteFormats
import CassetteMaintenance
import MockServerConsole

/// The commands that import, export and scan recordings.
extension Manual {
  static let importing = Command(
    name: .import,
    summary: "Convert recordings of other tools to cassettes.",
    operand: Command.Operand(placeholder: "FILE", kind: .path, count: 1...Int.max),
    sections: [
      Command.Section(title: "Options", options: [into, from, replace]),
      Command.Section(title: "Secrets", options: [redact, keep, keepOpaque, keepSecrets]),
    ],
    notes: [
      "Reads HAR (browsers, Charles, Proxyman, mitmproxy), VCR, vcrpy, betamax and go-vcr (YAML or JSON), WireMock "
        + "mappings with __files, nock definitions, Hoverfly simulations, DVR cassettes and Postman collections with "
        + "saved examples. The format is detected from the content. Each FILE becomes a cassette of the same name; the "
        + "WireMock mappings of a folder become one cassette.",
      "Secrets are removed, unless --keep-secrets is given. Either all cassettes are written or none. A table at the "
        + "end lists the imported recordings, the skipped recordings with the reason, and the content that was left "
        + "out: every unknown member and every unreadable body, with its file, line and count. Members without a "
        + "meaning for replay (times, sizes, addresses, browser internals, comments, cookies that are also header "
        + "fields) are not reported. Exits 0 if everything was imported, 1 if something was skipped or left out. A "
        + "recording whose body cannot be searched for secrets (an archive, an unsupported content coding) is skipped, "
        + "unless --keep-opaque is given.",
    ],
    examples: [
      "mockserver import github.har --into cassettes": "cassettes/github.json",
      "mockserver import spec/cassettes/*.json --into cassettes": "one cassette per file",
      "mockserver import wiremock --into cassettes": "mappings and __files",
      "mockserver import a.har --into cassettes --redact json:$.user.email": "redact one more value",
    ])

  static let exporting = Command(
    name: .export,
    summary: "Convert a cassette to a HAR, WireMock mappings or curl commands.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 1...1),
    sections: [Command.Section(title: "Options", options: [to, output])],
    notes: [
      "Prints to standard output, or to a file with --output. Secrets that were removed from the cassette are not "
        + "restored: {{secret:1}} is exported as a placeholder."
    ],
    examples: [
      "mockserver export cassettes/github.json --to har --output github.har": "open it in a browser",
      "mockserver export cassettes/github.json --to curl": "one line per request",
    ])

  static let scan = Command(
    name: .scan,
    summary: "Search cassettes, fixtures and recordings of other tools for secrets.",
    operand: Command.Operand(placeholder: "PATH", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options", options: [keep, keepOpaque, report])],
    notes: [
      "Finds tokens of known shapes in any encoding, and values whose names mark them as secrets, in JSON, forms, XML "
        + "and HTML, YAML, environment files, GraphQL, tables and URLs, also in compressed content and across the "
        + "chunks of a stream. In files other than recordings, JSON, forms and environment files, such as source code, "
        + "a name is not sufficient: the value must look like a secret. Each finding is a line FILE:LINE: FINDING. "
        + "Content that cannot be searched, such as an archive, is reported as well, unless --keep-opaque is given. "
        + "Hidden files of a folder are searched, but not .git, .build and node_modules. Exits 1 if something was found "
        + "or could not be searched, 0 otherwise."
    ],
    examples: [
      "mockserver scan cassettes": "a folder and its subfolders",
      "git diff --cached --name-only --diff-filter=d -z | xargs -0r mockserver scan": "before a commit",
    ])

  static let into = Option(
    "into", .folder, "DIR", help: "The folder to write the cassettes to. It is created if it does not exist.")
  static let from = Option(
    "from", .choice(CassetteFormat.allCases.map(\.rawValue)), standard: "detected from the content",
    help: "The format of the files.")
  static let replace = Option("replace", help: "Replace cassettes of the same name.")
  static let redact = Option(
    "redact", .text, "PLACE", repeats: true,
    help:
      "Also remove this value: header:NAME, query:NAME, form:NAME, json:PATH (a JSON path: $.a.b, $.a[*].b, $..b at "
      + "any depth) or value:TEXT. Append =REPLACEMENT to set the replacement, except for value:TEXT. May be repeated.")
  static let keep = Option(
    "keep", .text, "PLACE", repeats: true,
    help: "Keep a value that looks like a secret; PLACE as for --redact. May be repeated.")
  /// The help text about bodies that are not recorded because they cannot be searched for secrets.
  static let opaque =
    "Bodies that cannot be searched for secrets (archives, encrypted files, unsupported content codings) reach the "
    + "client but are not recorded, unless --keep-opaque is given; br and zstd are decoded if the system has "
    + "libbrotlidec and libzstd."
  static let keepOpaque = Option(
    "keep-opaque", help: "Keep bodies that cannot be searched for secrets: archives, and unsupported content codings.")
  static let keepSecrets = Option("keep-secrets", help: "Do not search for secrets, and keep every value.")
  static let to = Option("to", .choice(["har", "wiremock", "curl"]), standard: "har", help: "The format to write.")
  static let output = Option("output", .path, "FILE", standard: "standard output", help: "The file to write to.")
}
