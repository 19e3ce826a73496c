import CassetteMaintenance
import CassetteRecording
internal import CassetteSystem
import Cassettes
import MockServerConsole
import MockServerKit
import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// The command `record`, which forwards requests to a live server and records the exchanges in a cassette.
enum Record {
  static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode { try run(try asked(invocation)) }

  /// Records until the process receives a signal.
  static func run(_ configuration: MockServer.Configuration) throws(CommandError) -> ExitCode {
    guard let settings = configuration.recording else { return .internalError }
    let signals = StopSignals()
    signals.explainForcedExit(RecordText.forcedExit(settings))
    let folders = try Paths.makeFolder(of: settings.cassette)
    // Without a recording, a new folder would stay empty.
    defer { Paths.removeEmpty(folders) }
    try recover([settings.cassette])
    let server: MockServer
    do throws(CassetteError) {
      server = try MockServer(configuration)
    } catch {
      throw unopened(error, settings.cassette)
    }
    let url: String
    do throws(CommandError) {
      url = try Serve.start(server)
    } catch {
      // The journal is empty, and saving removes it.
      _ = try? server.saveRecording()
      throw error
    }
    ServingTLS.explain(configuration, url)
    for line in RecordText.exposure(configuration) { Console.warn(line) }
    Console.output.write(RecordText.ready(url, settings))
    let progress = ProgressLine { server.recordingProgress.map(RecordText.progress) }
    signals.wait()
    progress.end()
    let end = server.stop(within: Serve.grace)
    if let progress = server.recordingProgress, progress.bytes > 1 << 20 {
      Console.error.write(RecordText.merging(settings, progress))
    }
    if let end, end.approximations.count > 0 { Console.error.write(Serve.text(of: end)) }
    return try save(server, settings)
  }

  /// Returns the error for a cassette or a journal that cannot be opened.
  static func unopened(_ error: CassetteError, _ cassette: String) -> CommandError {
    guard error.file == cassette + JournalName.suffix else { return .unreadable(error, paths: [cassette]) }
    return CommandError(
      .badCassette, "cannot record into \(cassette): \(Printable.escaped(error.message))",
      hint: (error.suggestion.map { "\($0): --cassette FILE. " } ?? "")
        + "During recording the exchanges are kept in the journal \(error.file).")
  }

  private static func save(_ server: MockServer, _ settings: RecordingSettings) throws(CommandError) -> ExitCode {
    do throws(CassetteError) {
      guard let (changes, unfinished) = try server.saveRecording(), let progress = server.recordingProgress else {
        return .internalError
      }
      Console.error.write(RecordText.summary(settings, changes, progress, unfinished: unfinished))
      return progress.exchanges == 0 && progress.failed > 0 ? .unavailable : .success
    } catch {
      throw CommandError(
        .badCassette, Printable.escaped("\(error)"),
        hint:
          RecordText.lost(server.recordingProgress?.refused ?? 0)
          + "the exchanges are in \(settings.cassette)\(JournalName.suffix), and the next record merges them.")
    }
  }

  /// Merges and reports the exchanges that an interrupted recorder has left in a journal.
  static func recover(_ cassettes: [String]) throws(CommandError) {
    for cassette in cassettes {
      let recovery = try CommandError.reading([cassette]) { () throws(CassetteError) in
        try RecordingJournal.recover(beside: cassette)
      }
      guard let recovery, recovery.exchanges > 0 || recovery.damaged != nil else { continue }
      Console.error.write(
        "mockserver: \(Printable.escaped(cassette)): \(counted(recovery.exchanges, "exchange")) recovered from an "
          + "interrupted recording: \(Printable.escaped("\(recovery.changes)"))\n")
      if let damaged = recovery.damaged {
        Console.warn("part of the journal could not be read and is kept as \(Printable.escaped(damaged))")
      }
    }
  }

  /// Creates the configuration from the options, without reading files or contacting servers.
  static func asked(_ invocation: Invocation) throws(CommandError) -> MockServer.Configuration {
    let command = invocation.command
    guard let text = invocation.text(Manual.upstream) else {
      throw .usage("record needs --upstream URL", of: command, hint: "For instance: \(command.examples[0].line)")
    }
    guard let cassette = invocation.text(Manual.cassette) else {
      throw .usage("record needs --cassette FILE", of: command, hint: "For instance: \(command.examples[0].line)")
    }
    let (origin, path) = try upstream(text, command)
    try requireFile(cassette, named: "\(origin.host).json", of: command)
    var settings = try settings(invocation, upstream: origin, cassette)
    settings.path = path
    if origin.isSecure { settings.secure = try secure(invocation) }
    var configuration = configuration(of: invocation)
    configuration.recording = settings
    configuration.security = try ServingTLS.read(invocation, host: configuration.host, environment)
    configuration.keepsLinks = invocation.has(Manual.keepLinks)
    configuration.cors = try MockServer.Configuration.CORSPolicy(invocation)
    return configuration
  }

  private static func upstream(
    _ text: String, _ command: Command
  ) throws(CommandError) -> (origin: UpstreamOrigin, path: String) {
    try named("\(Manual.upstream.flag): ", command) { () throws(UpstreamOrigin.Problem) in
      try UpstreamOrigin.withPath(text)
    }
  }

  // MARK: Functions for both record and proxy

  /// Returns the forward proxies named in the environment.
  static func proxies(_ command: Command) throws(CommandError) -> OutgoingProxies {
    try named("", command) { () throws(UpstreamOrigin.Problem) in try OutgoingProxies(environment: environment) }
  }

  static func origin(_ text: String, of option: Option, _ command: Command) throws(CommandError) -> UpstreamOrigin {
    try named("\(option.flag): ", command) { () throws(UpstreamOrigin.Problem) in try UpstreamOrigin(text) }
  }

  /// Parses the URL of a server, and adds the option or variable to the error.
  private static func named<Result>(
    _ place: String, _ command: Command, _ read: () throws(UpstreamOrigin.Problem) -> Result
  ) throws(CommandError) -> Result {
    do throws(UpstreamOrigin.Problem) { return try read() } catch { throw .usage("\(place)\(error)", of: command) }
  }

  static func requireFile(_ cassette: String, named name: String, of command: Command) throws(CommandError) {
    guard Folder.resolvedKind(of: cassette) != .folder, !cassette.hasSuffix("/") else {
      throw .usage(
        "--cassette must be a file, and \(cassette) is a folder", of: command,
        hint: "For instance: --cassette \(Folder.join(cassette, name))")
    }
    // Other files in a folder would not be served.
    guard cassette.hasSuffix(".json") || Folder.resolvedKind(of: cassette) == .file else {
      throw .usage(
        "the file name of a cassette must end in .json", of: command,
        hint: "Type: --cassette \(ShellWord.path(cassette + ".json"))")
    }
  }

  /// Creates the settings for recording from the options.
  static func settings(
    _ invocation: Invocation, upstream: UpstreamOrigin?, _ cassette: String
  ) throws(CommandError) -> RecordingSettings {
    var settings = RecordingSettings(upstream: upstream, cassette: cassette)
    settings.mode = invocation.has(Manual.missing) ? .recordMissing : .record
    settings.prunes = invocation.has(Manual.prune)
    settings.keepsFailures = invocation.has(Manual.keepFailures)
    settings.durability = invocation.text(Manual.durability).flatMap(RecordingSettings.Durability.init) ?? .process
    settings.redaction = try invocation.redaction()
    settings.proxies = try proxies(invocation.command)
    if let seconds = invocation.seconds(Manual.timeout) { settings.silenceSeconds = seconds }
    return settings
  }

  /// Creates the configuration for the listening address and the log.
  static func configuration(of invocation: Invocation) -> MockServer.Configuration {
    var configuration = MockServer.Configuration()
    if let host = invocation.text(Manual.host) { configuration.host = host }
    if let port = invocation.number(Manual.port) { configuration.port = port }
    configuration.log = invocation.choice(Manual.recordLog) ?? .none
    configuration.logFormat = invocation.choice(Manual.logFormat) ?? .text
    configuration.logOutput = { ProgressLine.interrupt(with: String(decoding: $0, as: UTF8.self)) }
    configuration.loops = invocation.number(Manual.loops)
    configuration.chooseLoop(invocation)
    configuration.matching = CassetteMatchingOptions(level: invocation.choice(Manual.match))
    configuration.watches = false
    return configuration
  }

  /// Returns the TLS settings for upstream.
  ///
  /// Throws an error now, rather than at the first request, if TLS is not available.
  static func secure(
    _ invocation: Invocation
  ) throws(CommandError) -> @Sendable (Int32, String) throws(SecurityError) -> any SecureChannel {
    let (certificate, key) = (invocation.text(Manual.certificate), invocation.text(Manual.key))
    guard (certificate == nil) == (key == nil) else {
      throw .usage("--cert and --key must be given together", of: invocation.command)
    }
    let identity = certificate.flatMap { certificate in
      key.map { TLSContext.Identity(certificate: certificate, key: $0) }
    }
    do throws(SecurityError) {
      let context = try TLSContext(
        trusting: invocation.text(Manual.authority), identity: identity, isInsecure: invocation.has(Manual.insecure))
      return { descriptor, host throws(SecurityError) in try context.connect(descriptor, to: host) }
    } catch {
      throw CommandError(.unavailable, error.description)
    }
  }
}

/// The messages of `record`.
enum RecordText {
  /// Returns the line for standard output: the address of the server, the upstream and the cassette.
  static func ready(_ url: String, _ settings: RecordingSettings) -> String {
    let whom = settings.upstream.map { "forwarding to \($0)" } ?? "forwarding as a proxy"
    let what = settings.mode == .recordMissing ? "\(whom) if no recording matches" : whom
    return Printable.escaped("mockserver: listening on \(url) (\(what), recording into \(settings.cassette))") + "\n"
  }

  /// Returns the line for a repeated signal, which ends the process before the cassette is written.
  static func forcedExit(_ settings: RecordingSettings) -> String {
    let journal = settings.cassette + JournalName.suffix
    return Printable.escaped(
      "mockserver: stopped immediately: the exchanges are in \(journal); the next mockserver record or serve merges "
        + "them")
      + "\n"
  }

  /// Returns the progress line, which is updated in place.
  static func progress(_ progress: RecordingProgress) -> String {
    var parts = ["\(counted(progress.exchanges, "exchange"))", readableSize(progress.bytes), "\(progress.new) new"]
    if progress.unchanged > 0 { parts.append("\(progress.unchanged) unchanged") }
    if progress.refused > 0 { parts.append("\(progress.refused) not recorded") }
    if progress.failed > 0 { parts.append("\(progress.failed) without a response") }
    return parts.joined(separator: ", ")
  }

  /// Returns the line before many exchanges are merged, which may take longer than `docker stop` waits.
  static func merging(_ settings: RecordingSettings, _ progress: RecordingProgress) -> String {
    let what = "\(counted(progress.exchanges, "exchange")), \(readableSize(progress.bytes)), into \(settings.cassette)"
    let next = "a second signal leaves them in the journal, which the next start merges"
    return Printable.escaped("mockserver: merging \(what); \(next)") + "\n"
  }

  /// Returns the beginning of a sentence about the exchanges in a journal.
  static func lost(_ count: Int) -> String {
    count == 0 ? "No exchange is lost: " : "\(counted(count, "exchange")) could not be recorded; all others are kept: "
  }

  /// Returns the final report: the changes in the cassette, and the exchanges that were not recorded.
  static func summary(
    _ settings: RecordingSettings, _ changes: Recording.Changes, _ progress: RecordingProgress, unfinished: Int
  ) -> String {
    var text = "mockserver: \(counted(progress.exchanges, "exchange")), \(readableSize(progress.bytes))\n"
    var told = changes
    // These parts are reported on separate lines.
    (told.kept, told.unasked, told.redaction) = ([], [], RedactionUse())
    text += Printable.escaped("mockserver: \(settings.cassette): \(told)") + "\n"
    if !changes.kept.isEmpty {
      text += "mockserver: \(counted(changes.kept.count, "recording")) kept unchanged:\n"
      text += lines(changes.kept)
    }
    if !changes.unasked.isEmpty {
      let next =
        settings.prunes
        ? "not removed, because not every request was answered" : "record --prune removes them"
      text += "mockserver: \(counted(changes.unasked.count, "recording")) not requested again (\(next)):\n"
      text += lines(changes.unasked)
    }
    for line in changes.redaction.lines(\.option) { text += "mockserver: \(Printable.escaped(line))\n" }
    if progress.refused > 0 { text += "mockserver: \(counted(progress.refused, "exchange")) could not be recorded\n" }
    if progress.failed > 0 {
      // The upstream may be down, or may not have the expected certificate.
      let origin = settings.upstream.map { " from \($0)" } ?? ""
      let failed = counted(progress.failed, "request")
      text += "mockserver: \(failed) failed: no response\(origin); the log has the reasons\n"
    }
    let cut = unfinished - progress.refused - progress.failed
    if cut > 0 { text += "mockserver: \(counted(cut, "exchange")) left out: the responses were not complete\n" }
    return text
  }

  private static func lines(_ names: [String]) -> String {
    let most = 20
    var lines = names.prefix(most).map { "  \(Printable.escaped($0))\n" }
    if names.count > most { lines.append("  and \(names.count - most) more\n") }
    return lines.joined()
  }

  /// Returns warnings about access from other machines.
  static func exposure(_ configuration: MockServer.Configuration) -> [String] {
    guard let recording = configuration.recording, !SocketAddress.isLoopback(host: configuration.host) else {
      return []
    }
    let whom =
      recording.upstream.map { "\($0)" } ?? "every server that this machine can reach; --origin restricts the servers"
    return ["other machines can reach \(configuration.host), and through it \(whom)"]
  }
}
