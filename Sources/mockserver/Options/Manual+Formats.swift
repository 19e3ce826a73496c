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
      Command.Section(title: "Options", options: [into, from, replace, templates]),
      Command.Section(title: "Secrets", options: [redact, keep, keepOpaque, keepSecrets]),
    ],
    notes: [
      "Reads HAR (browsers, Charles, Proxyman, mitmproxy), VCR, vcrpy, betamax and go-vcr (YAML or JSON), WireMock "
        + "mappings with __files, nock definitions, Hoverfly simulations, DVR cassettes and Postman collections with "
        + "saved examples. The format is detected from the content. Each FILE becomes a cassette of the same name; the "
        + "WireMock mappings of a folder become one cassette.",
      "Secrets are removed and listed by kind, unless --keep-secrets is given. Nothing is written unless all files can be read. A table at the "
        + "end lists the imported recordings, the skipped recordings with the reason, and the content that was left "
        + "out: every unused member and every unreadable body, with its file, line and count. Members without a "
        + "meaning for replay (times, sizes, addresses, extensions of HAR, comments, cookies that are also header "
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

  static let templates = Option(
    "templates",
    help: "Translate the templates in all responses of WireMock, as WireMock does with --global-response-templating.")

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
  static let replace = Option("replace", help: "Replace cassettes of the same name, and keep their rules and notes.")
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

  // MARK: The command that generates a specification

  static let generating = Command(
    name: .generate,
    summary: "Generate an OpenAPI document from recordings.",
    operand: Command.Operand(placeholder: "openapi CASSETTE", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options", options: [intoSpecification, enumerations])],
    notes: [
      "A CASSETTE is a file, a folder of cassettes, or a recording of another tool that import reads. Path segments "
        + "that vary become templates, /users/{userId}: numbers, UUIDs, hashes, and segments that differ in links or "
        + "between responses of the same shape. Parameters, fields and members are required if every recording has "
        + "them; types, formats and media types are those of the recordings. Fields that always have the same value are "
        + "left out, and so is the media type of a response that sometimes has no body and has no schema. A request body "
        + "without a Content-Type is left out, because OpenAPI cannot describe it.",
      "The recordings conform to the document (mockserver verify --openapi), but everything that it allows beyond them "
        + "is a guess. Read it, choose better names, and keep it with the code: the output does not depend on the order "
        + "of the recordings. Secrets become security schemes, never values.",
    ],
    examples: [
      "mockserver generate openapi cassettes/github.json --into openapi.json":
        "then: mockserver verify --openapi openapi.json",
      "mockserver generate openapi cassettes session.har": "combine several files, print to standard output",
    ])

  static let intoSpecification = Option("into", .path, "FILE", standard: "standard output", help: "The file to write.")
  static let enumerations = Option(
    "enums", help: "List the values of members with few distinct strings as enumerations.")

  // MARK: The commands that compare and merge cassettes

  static let times = Option("times", help: "Compare recorded times and the pauses of streams, too.")

  static let diffing = Command(
    name: .diff,
    summary: "List added, removed and changed interactions.",
    operand: Command.Operand(placeholder: "OLD NEW", kind: .path, count: 2...2),
    sections: [Command.Section(title: "Options", options: [times])],
    notes: [
      "OLD and NEW are cassettes, or folders of cassettes. Layout, times, and the names of body files are not compared, "
        + "but the contents of body files are. A changed interaction is "
        + "followed by each change with its place, and by its new position among recordings of the same request. Exits "
        + "1 if there is a difference."
    ],
    examples: [
      "mockserver diff cassettes recorded": "compare two folders",
      "git show main:a.json | mockserver diff /dev/stdin a.json": "show the changes of this branch",
    ])

  static let gitting = Command(
    name: .git,
    summary: "Set up git to show and merge cassettes by interaction.",
    operand: Command.Operand(placeholder: "install|resolve|textconv|merge ARG", kind: .path, count: 1...Int.max),
    sections: [Command.Section(title: "Options of resolve", options: [ours, theirs, both])],
    notes: [
      "install [FOLDER...] adds lines to .gitattributes and sets merge.cassette and diff.cassette in the configuration "
        + "of this clone; running it again changes nothing. The default FOLDERs are all folders named cassettes or "
        + "Cassettes. Run it once in every clone.",
      "merge BASE OURS THEIRS [PATH] is the command that git runs. Interactions that two branches recorded are "
        + "combined; rules are merged separately from the exchange. If both branches changed an interaction, both "
        + "versions are kept, and the id of the second ends in \"(conflict: theirs)\". The file still loads, the exit "
        + "code is 1, and mockserver check reports the conflict until it is resolved. Files other than cassettes are "
        + "merged line by line.",
      "resolve --ours|--theirs|--both FILE... resolves all conflicts of a file. textconv FILE prints the form that git "
        + "diff shows: a heading for each interaction, bodies with real line breaks, no times.",
    ],
    examples: [
      "mockserver git install": "run once per clone",
      "mockserver git resolve --theirs cassettes/github.json": "after a conflict",
    ])

  static let ours = Option("ours", help: "Keep this branch's version.")
  static let theirs = Option("theirs", help: "Keep the other branch's version.")
  static let both = Option("both", help: "Keep both versions, one after the other.")

  // MARK: The command that turns recordings into resources

  static let simulating = Command(
    name: .simulate,
    summary: "Convert a recording to resources that requests can change.",
    operand: Command.Operand(placeholder: "CASSETTE", kind: .path, count: 1...1),
    sections: [Command.Section(title: "Options", options: [intoFile, redact, keep, keepSecrets])],
    notes: [
      "Finds collections: paths where a POST created an element, and lists whose elements were requested. Each becomes "
        + "a \"resource\" of the new cassette, with its recorded properties: path, name of the id, operations and their "
        + "statuses, paging and filters, members set by the server, types and required members as a JSON Schema, error "
        + "responses, and the initial elements. Recordings of other paths stay unchanged. Nothing else is inferred: "
        + "read the file, edit it, and keep it with the tests.",
      "On replay a resource creates, reads, lists, replaces, patches (RFC 7396, RFC 6902) and deletes elements, "
        + "separately for each session; a reset restores the initial elements.",
    ],
    examples: [
      "mockserver simulate cassettes/todos.json --into cassettes/todos.resource.json":
        "then: mockserver --cassettes cassettes/todos.resource.json"
    ])

  static let intoFile = Option("into", .path, "FILE", help: "The cassette to write; the file must not exist.")
}
