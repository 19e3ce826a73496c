import CassetteFormats
import CassetteMaintenance
import MockServerConsole

/// The commands that import, export and scan recordings.
extension Manual {
  static let importing = Command(
    name: .import,
    summary: "Turn recordings of other tools into cassettes.",
    operand: Command.Operand(placeholder: "FILE", kind: .path, count: 1...Int.max),
    sections: [
      Command.Section(title: "Options", options: [into, from, replace]),
      Command.Section(title: "Secrets", options: [redact, keep, keepOpaque, keepSecrets]),
    ],
    notes: [
      "Reads HAR (browsers, Charles, Proxyman, mitmproxy), VCR, vcrpy, betamax and go-vcr (YAML or JSON), WireMock mappings with "
        + "__files, nock definitions, Hoverfly simulations, DVR cassettes and Postman collections with saved examples; "
        + "which it is, is told by what is in the file. A FILE becomes a cassette of its name; WireMock mappings of one "
        + "folder, or the folder, become one.",
      "Secrets are taken out, unless --keep-secrets. All is written or nothing; a table at the end says what was "
        + "imported, what was skipped and why, and what was left out: every member that is not known and every body "
        + "that cannot be read, with its file, its line and how often. Exits 0 when nothing was dropped, 1 when "
        + "something was skipped or left out; of what is known to play no part (times, sizes, addresses, the browser's "
        + "own, comments, cookies that stand in the fields as well) nothing is said. A body that nobody can look into "
        + "(an archive, a coding that cannot be undone here) is skipped, unless --keep-opaque. VCR, vcrpy, betamax and go-vcr "
        + "are read as YAML and as JSON.",
    ],
    examples: [
      "mockserver import github.har --into cassettes": "cassettes/github.json",
      "mockserver import spec/cassettes/*.json --into cassettes": "a cassette for each",
      "mockserver import wiremock --into cassettes": "mappings and __files",
      "mockserver import a.har --into cassettes --redact json:$.user.email": "one thing more to hide",
    ])

  static let exporting = Command(
    name: .export,
    summary: "Turn a cassette into a HAR, WireMock mappings or curl commands.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 1...1),
    sections: [Command.Section(title: "Options", options: [to, output])],
    notes: [
      "Prints to standard output, or to a file with --output. What was taken out of the cassette stays out: "
        + "{{secret:1}} is written as it is."
    ],
    examples: [
      "mockserver export cassettes/github.json --to har --output github.har": "for a browser",
      "mockserver export cassettes/github.json --to curl": "a line for each request",
    ])

  static let scan = Command(
    name: .scan,
    summary: "Look for secrets in cassettes, fixtures and recordings of other tools.",
    operand: Command.Operand(placeholder: "PATH", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options", options: [keep, keepOpaque, report])],
    notes: [
      "Finds tokens of known shapes, whatever their encoding; and values whose names say that they are secrets, in JSON, "
        + "forms, XML and HTML, YAML, environment files, GraphQL, tables and URLs, also in what is compressed or comes "
        + "in the pieces of a stream. In texts other than recordings, JSON, forms and environments, such as programs, "
        + "a name is not enough: the value has to look like a secret. Each is a line FILE:LINE: WHAT. What cannot be looked into, such as an "
        + "archive, is named as well, unless --keep-opaque. Of a folder, hidden files are looked at, but not what is in "
        + ".git, .build and node_modules. Exits 1 when something was found or could not be looked into, 0 when not."
    ],
    examples: [
      "mockserver scan cassettes": "a folder and all below it",
      "git diff --cached --name-only --diff-filter=d -z | xargs -0r mockserver scan": "before a commit",
    ])

  static let into = Option("into", .folder, "DIR", help: "The folder of cassettes to write to; it is made if need be.")
  static let from = Option(
    "from", .choice(CassetteFormat.allCases.map(\.rawValue)), standard: "told by the content",
    help: "The format of the files.")
  static let replace = Option("replace", help: "Replace cassettes of the same name.")
  static let redact = Option(
    "redact", .text, "PLACE", repeats: true,
    help: "Take this out as well: header:NAME, query:NAME, form:NAME, json:PATH (a JSON path: $.a.b, $.a[*].b, $..b at "
      + "any depth) or value:TEXT; but for the last, =TEXT behind it takes its place. May be repeated.")
  static let keep = Option(
    "keep", .text, "PLACE", repeats: true,
    help: "Keep this although it looks like a secret: as for --redact. May be repeated.")
  /// The help text about bodies that are not recorded because they cannot be searched for secrets.
  static let opaque =
    "Bodies that nobody can look into (archives, encrypted files, codings that cannot be undone here) reach the client and "
    + "are not recorded, unless --keep-opaque; br and zstd are undone where the system has libbrotlidec and libzstd."
  static let keepOpaque = Option(
    "keep-opaque", help: "Keep bodies that nobody can look into: archives, and codings that cannot be undone here.")
  static let keepSecrets = Option("keep-secrets", help: "Take nothing out, and do not look for tokens.")
  static let to = Option("to", .choice(["har", "wiremock", "curl"]), standard: "har", help: "The format to write.")
  static let output = Option("output", .path, "FILE", standard: "standard output", help: "The file to write to.")
}
