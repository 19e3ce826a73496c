internal import CassetteMaintenance
import CassetteMatching
internal import CassetteOpenAPI
internal import CassetteSecrets
import MockServerConsole
internal import MockServerUpstream

/// The settings of `verify` and `refresh`.
struct VerifySettings {
  var choice = Verification.Choice()
  var ignored = IgnoredPlaces()
  var redaction = CassetteRedaction.standard
  var accepts = false
  var printsJSON = false
  var pause = 0.0
  var silence = 30.0
  /// The specifications that responses are checked against.
  var contracts: [ContractCheck] = []
  /// The command to which the settings belong, `verify` or `refresh`.
  let command: Command
  /// Returns the function that creates TLS channels.
  ///
  /// Called when the first channel is needed.
  var security: () throws(CommandError) -> UpstreamCaller.Security

  init(_ invocation: Invocation, environment: (String) -> String? = environment) throws(CommandError) {
    command = invocation.command
    guard command.name != .verify || invocation.has(Manual.live) else {
      let path = invocation.operands.first ?? "cassettes"
      throw .usage(
        "verify needs --live, which sends requests to the live server, or --openapi, which validates against a document",
        of: command,
        hint:
          "To compare with the live server: mockserver verify --live \(path)\nTo validate against a document: "
          + "mockserver verify --openapi SPEC \(path)\nTo check the file only: mockserver check \(path)"
      )
    }
    security = { () throws(CommandError) in try Record.secure(invocation) }
    accepts = command.name == .verify && invocation.has(Manual.accept)
    printsJSON = invocation.has(Manual.jsonReport)
    redaction = try invocation.redaction()
    if let seconds = invocation.seconds(Manual.pause) { pause = seconds }
    if let seconds = invocation.seconds(Manual.patience) { silence = seconds }
    choice.methods = Set(invocation.texts(Manual.methods).map { $0.uppercased() })
    choice.ids = Set(invocation.texts(Manual.ids))
    if let text = invocation.text(Manual.origin) {
      guard !accepts else {
        throw .usage(
          "--accept saves responses of the cassette's own origin only, not of --origin", of: command,
          hint: "To record another server: mockserver record --upstream \(text) --cassette FILE")
      }
      choice.origin = try Record.origin(text, of: Manual.origin, command).description
    }
    for text in invocation.texts(Manual.also) {
      choice.others.insert(try Record.origin(text, of: Manual.also, command).description)
    }
    if let text = invocation.text(Manual.refreshUpstream), command.name == .refresh {
      choice.origin = try Record.origin(text, of: Manual.refreshUpstream, command).description
    }
    for place in invocation.texts(Manual.ignore) where !ignored.insert(place) {
      throw .usage("--ignore must be a path such as $.items[*].id, or header:NAME, not \"\(place)\"", of: command)
    }
    choice.secrets = try invocation.secrets(environment)
    for path in invocation.texts(Manual.openAPI) {
      contracts.append(ContractCheck(try VerifyContract.document(path)))
    }
    guard !invocation.has(Manual.report) else {
      throw .usage("--report and --live cannot be combined; use --json with --live", of: command)
    }
  }

  /// Returns a string without the given secrets, which an origin may repeat in its response.
  func hiding(_ text: String) -> String { StandIns.hiding(text, choice.secrets) }
}
