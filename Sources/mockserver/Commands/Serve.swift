import CassetteFormats
import CassetteHTTP
import CassetteMaintenance
import CassetteOpenAPI
import CassettePlayback
internal import CassetteSystem
import Cassettes
import MockServerConsole
import MockServerControl
import MockServerKit
import MockServerSockets
import MockServerWire

/// The command `serve`, which starts a server, prints its address and waits for a signal.
enum Serve {
  /// The time that requests in progress may take after the first signal.
  static let grace = Duration.seconds(5)

  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    // A first recording that was interrupted has left only its journal.
    let missing = invocation.texts(Manual.cassettes).filter { Folder.resolvedKind(of: $0) == .missing }
    if !invocation.has(Manual.readOnly) { try Record.recover(JournalName.found(in: missing)) }
    return try run(try configuration(of: invocation, environment: environment))
  }

  /// Serves until the process receives a signal.
  static func run(_ configuration: MockServer.Configuration) throws(CommandError) -> ExitCode {
    let signals = StopSignals(areHeld: false)
    if !configuration.isReadOnly { try Record.recover(JournalName.found(in: configuration.cassettes)) }
    let server = try load(configuration)
    for warning in server.warnings { Console.error.write(ProblemText.line(warning, Console.error.style)) }
    signals.hold()
    let url = try start(server)
    ServingTLS.explain(configuration, url)
    for line in ServeText.exposure(configuration) { Console.warn(line) }
    let counts = server.counts
    Console.output.write(
      ServeText.ready(
        url, recordings: counts.recordings, cassettes: counts.cassettes, fixtures: counts.fixtures,
        resources: counts.resources,
        operations: configuration.specifications.isEmpty ? nil : server.operations))
    signals.wait()
    if let summary = server.stop(within: grace) {
      Console.error.write(text(of: summary))
      if !summary.finished {
        let seconds = grace.components.seconds
        Console.error.write("mockserver: requests still in flight after \(seconds) seconds were cut off\n")
      }
    }
    return .success
  }

  static func text(of end: MockServer.Summary) -> String {
    ServeText.summary(
      requests: end.requests, misses: end.misses, approximations: end.approximations, recordings: end.recordings,
      neverPlayed: end.neverPlayed, ignoredNeverFound: end.ignoredNeverFound)
  }

  /// Creates the configuration from the options.
  ///
  /// Checks that paths exist, but reads no files.
  static func configuration(
    of invocation: Invocation, environment: (String) -> String?
  ) throws(CommandError) -> MockServer.Configuration {
    let specifications = invocation.texts(Manual.specification)
    let named = invocation.texts(Manual.cassettes)
    // A cassette is not required if there are specifications or fixtures.
    let advice = "Or record some: mockserver record --upstream URL --cassette cassettes/NAME.json"
    let cassettes = try Paths.resolve(
      named, hint: "Create a first one: mockserver init\nOr name cassettes: mockserver --cassettes DIR\n\(advice)",
      advice: advice,
      isOptional: !specifications.isEmpty || invocation.text(Manual.fixtures) != nil)
    var configuration = MockServer.Configuration(cassettes: cassettes)
    configuration.specifications =
      specifications.isEmpty
      ? [] : try Paths.resolve(specifications, hint: "Name the specification: mockserver --openapi SPEC")
    configuration.contract = invocation.choice(Manual.contract)
    if configuration.contract != nil, specifications.isEmpty {
      throw .usage("--contract needs a specification: --openapi SPEC", of: invocation.command)
    }
    if let fixtures = invocation.text(Manual.fixtures) {
      try Paths.requireFolder(fixtures, for: Manual.fixtures)
      configuration.fixtures = fixtures
    }
    if let host = invocation.text(Manual.host) { configuration.host = host }
    if let port = invocation.number(Manual.port) { configuration.port = port }
    configuration.keepsLinks = invocation.has(Manual.keepLinks)
    if let speed = invocation.factor(Manual.speed) { configuration.speed = speed }
    configuration.playback = try invocation.playback()
    configuration.matching = CassetteMatchingOptions(level: invocation.choice(Manual.match))
    configuration.secrets = try invocation.secrets(environment)
    if let status = invocation.number(Manual.missStatus) { configuration.missStatus = HTTPStatus(status) }
    configuration.log = invocation.choice(Manual.log) ?? .requests
    configuration.logFormat = invocation.choice(Manual.logFormat) ?? .text
    if configuration.log == .table, configuration.logFormat == .json {
      throw .usage("--log table and --log-format json cannot be combined", of: invocation.command)
    }
    configuration.logColumns = { Console.error.width }
    configuration.logColors = Console.error.style.colors
    configuration.logOutput = { Console.error.write($0) }
    configuration.loops = invocation.number(Manual.loops)
    configuration.chooseLoop(invocation)
    configuration.cors = try CORSPolicy(invocation)
    configuration.watches = !invocation.has(Manual.noWatch)
    configuration.admin = try admin(invocation, environment)
    if let port = invocation.number(Manual.inspectorPort) { configuration.inspectorPort = port }
    configuration.origins = try invocation.texts(Manual.acceptedOrigin).map { text throws(CommandError) in
      try Record.origin(text, of: Manual.acceptedOrigin, invocation.command)
    }
    if let bytes = invocation.number(Manual.journalBodies) { configuration.journalBodyBytes = bytes }
    configuration.isReadOnly = invocation.has(Manual.readOnly)
    configuration.showsSecrets = invocation.has(Manual.journalSecrets)
    if configuration.showsSecrets, !SocketAddress.isLoopback(host: configuration.host) {
      throw .usage(
        "--journal-secrets shows passwords and tokens: it requires a loopback address, not --host \(configuration.host)",
        of: invocation.command)
    }
    configuration.exports["har"] = ControlExport(mediaType: "application/json") { cassette throws(CassetteError) in
      try HARWriter.bytes(of: cassette, version: version)
    }
    configuration.security = try ServingTLS.read(invocation, host: configuration.host, environment)
    if let bytes = invocation.number(Manual.maxRequestLine) { configuration.limits.requestLine = bytes }
    if let bytes = invocation.number(Manual.maxHead) { configuration.limits.head = bytes }
    if let fields = invocation.number(Manual.maxFields) { configuration.limits.fields = fields }
    if let bytes = invocation.number(Manual.maxBody) { configuration.limits.body = bytes }
    if let elements = invocation.number(Manual.maxElements) { configuration.maxElements = elements }
    if let seconds = invocation.seconds(Manual.idleTimeout) { configuration.idleTimeout = .seconds(seconds) }
    if let seconds = invocation.seconds(Manual.headTimeout) { configuration.headTimeout = .seconds(seconds) }
    if let connections = invocation.number(Manual.maxConnections) { configuration.connections = connections }
    return configuration
  }

  /// Returns the access to `/__mock/`.
  ///
  /// `--admin-token` and `--no-admin` take precedence over the token in the environment.
  private static func admin(
    _ invocation: Invocation, _ environment: (String) -> String?
  ) throws(CommandError) -> MockServer.Configuration.Admin {
    let token = invocation.text(Manual.adminToken)
    if invocation.has(Manual.noAdmin) {
      guard token == nil else {
        throw .usage("--no-admin and --admin-token cannot be combined", of: invocation.command)
      }
      return .off
    }
    if let token = token ?? environment("MOCKSERVER_ADMIN_TOKEN"), !token.isEmpty { return .token(token) }
    return .open
  }

  static func load(_ configuration: MockServer.Configuration) throws(CommandError) -> MockServer {
    try CommandError.reading(configuration.cassettes) { () throws(CassetteError) in try MockServer(configuration) }
  }

  /// Starts a server and returns its base URL.
  static func start(_ server: MockServer) throws(CommandError) -> String {
    do throws(MockServer.Failure) {
      return try server.start()
    } catch {
      switch error {
      case .portTaken(let host, let port):
        throw CommandError(
          .unavailable, "port \(port) on \(host) is already in use",
          hint: "Stop the program that uses it, or choose a free port: --port 0")
      case .cannotListen(let reason): throw CommandError(.unavailable, reason)
      case .alreadyStarted: throw CommandError(.internalError, "\(error)")
      }
    }
  }
}

/// The messages of `serve`.
enum ServeText {
  /// The maximum number of recordings listed in the summary.
  private static let named = 10

  /// Returns the line for standard output, with the server's address and the numbers of recordings and fixtures.
  static func ready(
    _ url: String, recordings: Int, cassettes: Int, fixtures: Int, resources: Int = 0, operations: Int? = nil
  ) -> String {
    let collections = resources > 0 ? ", \(counted(resources, "resource"))" : ""
    let served = "\(counted(recordings, "recording")) in \(counted(cassettes, "cassette"))\(collections)"
    let specified = operations.map { ", \(counted($0, "operation")) in specifications" } ?? ""
    return "mockserver: listening on \(url) (\(served), \(counted(fixtures, "fixture"))\(specified))\n"
  }

  /// Returns the summary of requests and of recordings that were not played.
  static func summary(
    requests: Int, misses: Int, approximations: (count: Int, last: [Approximation]) = (0, []), recordings: Int,
    neverPlayed: [String], ignoredNeverFound: [String] = []
  ) -> String {
    let approximate = approximations.count == 0 ? "" : ", \(approximations.count) approximate"
    let asked = "\(counted(requests, "request")), \(counted(misses, "miss", "misses"))\(approximate)"
    guard recordings > 0 else { return "mockserver: \(asked)\n" }
    let played =
      neverPlayed.isEmpty
      ? "all recordings played" : "\(neverPlayed.count) of \(counted(recordings, "recording")) never played"
    var text = "mockserver: \(asked), \(played)\n"
    // Without any requests, the list of unused recordings is useless.
    guard requests > 0 else { return text }
    let likenesses = approximations.last.map { "  \($0.request) (\"\($0.recording.id)\"): differs in \($0.parts)\n" }
    text += distinct(likenesses).suffix(named).joined()
    text += neverPlayed.prefix(named).map { "  \($0)\n" }.joined()
    text += ignoredNeverFound.map { "  \"ignore\": \"\($0)\" selects nothing in the compared bodies\n" }.joined()
    if neverPlayed.count > named { text += "  and \(neverPlayed.count - named) more\n" }
    return text
  }

  private static func distinct(_ lines: [String]) -> [String] {
    var seen: Set<String> = []
    return lines.filter { seen.insert($0).inserted }
  }

  /// Returns warnings about access from other machines; empty if the server listens only on a loopback address.
  static func exposure(_ configuration: MockServer.Configuration) -> [String] {
    guard !SocketAddress.isLoopback(host: configuration.host) else {
      return configuration.showsSecrets
        ? ["/__mock/journal shows unmasked requests, with passwords and tokens, to every user of this machine"] : []
    }
    let admin =
      switch configuration.admin {
      case .open: "/__mock/ refuses all requests until --admin-token is given"
      case .token: "/__mock/, which shows all requests, requires the token"
      case .off: "/__mock/ is disabled"
      }
    return ["other machines can reach \(configuration.host) and read every recording and fixture; \(admin)"]
  }
}

/// The options for playback, which override the settings in cassettes.
extension Invocation {
  func playback() throws(CommandError) -> PlaybackSettings {
    var settings = PlaybackSettings()
    settings.seed = number(Manual.seed).map { UInt64($0) }
    if let clock = try reading(
      Manual.clock, "--clock must be system, recorded or a time", "--clock 2026-11-22T12:00:00Z", PlaybackClock.init)
    {
      settings.clock = clock
    }
    settings.bytesPerSecond = number(Manual.bandwidth)
    settings.latency = try reading(
      Manual.latency, "--latency must be a time, a range such as 20ms..80ms, recorded or fitted",
      "--latency 20ms..80ms",
      Latency.init)
    return settings
  }

  /// Parses the value of an option; nil if the option is missing.
  private func reading<Value>(
    _ option: Option, _ rule: String, _ example: String, _ read: (String) -> Value?
  ) throws(CommandError) -> Value? {
    guard let text = text(option) else { return nil }
    if let value = read(text) { return value }
    throw CommandError(.usage, "\(rule), not \"\(text)\"", hint: "For instance: \(example)")
  }
}
