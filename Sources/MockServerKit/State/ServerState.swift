internal import CassetteHTTP
internal import CassetteMatching
internal import CassetteOpenAPI
internal import CassettePlayback
internal import CassetteRecording
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes
internal import MockServerControl
internal import MockServerSockets
internal import MockServerUpstream
internal import MockServerWire

/// The state that the loops of one server share.
final class ServerState: Sendable {
  /// The maximum number of distinct reasons for failed handshakes that are reported.
  static let handshakeReasons = 20

  /// The maximum number of distinct contract violations that are reported.
  private static let mostBreaches = 1_000

  let configuration: MockServer.Configuration
  let deck: Deck
  /// The recorder; nil if the server does not record.
  let recorder: Recorder?
  let address: SocketAddress
  let inspectorPort: Int?
  /// The scheme of the server's URLs: `https` if clients use TLS.
  let scheme: String
  /// The scheme and authority of the server.
  let url: String
  let journals: [EventRing]
  let feed: EventFeed
  /// The threads for requests whose matching may take long.
  let matchingPool = MatchingPool(threads: max(2, Platform.processors()))
  let memory = ControlMemory()
  /// The clock for the delays of answers; nil for real time.
  let clock = Locked<(any Clock<Duration>)?>(nil)
  let upstreams: UpstreamAccess
  let startedAt = Platform.wallNanoseconds()
  /// The limits on a request: those configured, raised for the recorded requests.
  private let grown: Locked<ParserLimits>
  /// The specifications that generate answers and define the contract.
  let specifications: SpecificationSet?
  private let breaches = Locked<Set<String>>([])
  private let handshakeFailures = Locked<Set<String>>([])
  private let latestMisses = Locked(Latest<Miss>())
  private let latestApproximations = Locked(Latest<Approximation>())
  private let loaded = Locked(ControlLoads())
  /// The tables that journals may refer to, by number.
  private let tables: Locked<[Int: RecordingTable]>

  init(
    _ configuration: MockServer.Configuration, deck: Deck, recorder: Recorder?, specifications: SpecificationSet?,
    feed: EventFeed, address: SocketAddress, inspectorPort: Int?, loops: Int
  ) {
    self.inspectorPort = inspectorPort
    self.specifications = specifications
    self.configuration = configuration
    grown = Locked(configuration.limits)
    self.deck = deck
    self.recorder = recorder
    self.feed = feed
    self.address = address
    var upstreams = UpstreamAccess(own: address)
    (upstreams.named, upstreams.recorded, upstreams.lookUp) = (
      configuration.origins, deck.table.origins, configuration.lookUp
    )
    self.upstreams = upstreams
    scheme = configuration.security == nil ? "http" : "https"
    url = "\(scheme)://\(address)"
    tables = Locked([deck.tableNumber: deck.table])
    journals = (0..<loops).map { _ in feed.makeRing(loops: loops) }
    for journal in journals { journal.mostOfBody = configuration.journalBodyBytes }
  }

  /// Returns the plan for a request: a recording first, then a specification if no recording answers.
  func plan(for request: HTTPRequest) -> Plan {
    configuration.willMatch?(request)
    if let refusal = specifications?.refusal(of: request) { return .specified(refusal, number: deck.countRequest()) }
    var plan = deck.plan(request, session: request.headers["X-Mock-Session"] ?? "")
    guard let specifications else { return plan }
    if case .miss(var miss) = plan, recorder == nil {
      if let answer = specifications.answer(request) { return .specified(answer, number: miss.number) }
      miss.operations = specifications.nearestOperations(to: request)
      return .miss(miss)
    }
    if specifications.holdsRecordings, let playback = plan.playback {
      let entry = playback.isOfStub || playback.derivation != nil ? nil : playback.entry
      plan.note(breach: breach(of: request, playback.recording.interaction, entry: entry))
    }
    return plan
  }

  /// Returns the contract violation of a recording; results for constant answers are cached by the recording's number.
  private func breach(of request: HTTPRequest, _ interaction: Interaction, entry: Int?) -> String? {
    guard let specifications, interaction.failure == nil else { return nil }
    let name = entry.map { "\(deck.tableNumber) \($0)" }
    let errors = specifications.errors(of: request, answeredBy: interaction, name: name)
    guard let breach = SpecificationAnswer.note(errors) else { return nil }
    noteBreach("\(request.method) \(SecretNames.masked(url: request.pathAndQuery)) (\(interaction.id)): \(breach)")
    return breach
  }

  /// Reports a contract violation once.
  func noteBreach(_ words: String) {
    let isNew = breaches.withLock { $0.count < Self.mostBreaches && $0.insert(words).inserted }
    if isNew { feed.note(.contract, words) }
  }

  /// The limits on a request: those configured, raised for the recorded requests.
  var limits: ParserLimits { grown.withLock { $0 } }

  /// Raises the limits to admit requests of these measures; must be called before their recordings are played.
  func admit(_ measures: RequestMeasures) {
    let limits = configuration.limits.admitting(measures)
    grown.withLock { $0 = limits }
  }

  /// The number of misses, and the latest misses in chronological order.
  var misses: (total: Int, last: [Miss]) { latestMisses.withLock { ($0.total, $0.kept) } }

  /// Stores a miss, and reports it.
  func note(_ miss: Miss, in ring: EventRing) {
    latestMisses.withLock { $0.append(miss) }
    feed.note(.miss(miss), miss.text, in: ring)
  }

  /// The number of approximations, and the latest approximations in chronological order.
  var approximations: (total: Int, last: [Approximation]) { latestApproximations.withLock { ($0.total, $0.kept) } }

  /// Stores an approximation, and reports it.
  func note(_ approximation: Approximation, in ring: EventRing) {
    latestApproximations.withLock { $0.append(approximation) }
    feed.note(.approximate(approximation), approximation.text, in: ring)
  }

  /// Reports a failed TLS handshake; each reason is reported once, because clients retry.
  func noteHandshake(_ reason: String) {
    let isNew = handshakeFailures.withLock { $0.count < Self.handshakeReasons && $0.insert(reason).inserted }
    if isNew { feed.note(.handshakeRefused, reason) }
  }

  /// Masks the configured secrets in a string.
  func hiding(_ text: String) -> String { StandIns.hiding(text, configuration.secrets) }

  /// Masks the configured secrets in a response that describes requests.
  func hiding(_ body: [UInt8]) -> [UInt8] {
    configuration.secrets.isEmpty ? body : Array(hiding(String(decoding: body, as: UTF8.self)).utf8)
  }

  /// Resets one session, or all: positions, journal, and stubs that are not kept.
  func reset(session: String?) {
    deck.removeStubs { !$0.isKept && (session == nil || $0.session == session) }
    deck.reset(session: session)
    guard let session else {
      for journal in journals { journal.clear() }
      memory.forgetPlays()
      // The number of misses is kept: otherwise the summary would let a failing run pass.
      latestMisses.withLock { $0.kept = [] }
      latestApproximations.withLock { $0.kept = [] }
      return
    }
    for journal in journals { journal.clear { $0.session == session } }
  }

  /// Notes a successful load, and the changed files.
  func noteLoad(of files: [String]) {
    let (number, table) = (deck.tableNumber, deck.table)
    // Plays are counted by name while their tables are still available.
    _ = memory.plays(countedBy: journals, of: self.table)
    tables.withLock { tables in
      tables[number] = table
      // The entries of a journal of a thousand requests rarely refer to older tables.
      for old in tables.keys.sorted().dropLast(Self.keptTables) { tables[old] = nil }
    }
    loaded.withLock { loads in
      loads.generation += 1
      loads.files = files
      loads.problem = nil
    }
  }

  /// Notes a failed load.
  func noteLoad(failing problem: String) {
    loaded.withLock { loads in
      loads.failures += 1
      loads.problem = problem
    }
  }

  private static let keptTables = 4
}

extension ServerState: ControlledServer {
  var access: ControlAccess { if case .token(let token) = configuration.admin { .token(token) } else { .open } }
  var loads: ControlLoads { loaded.withLock { $0 } }
  var redaction: RedactionPass? { recorder?.secrets }
  var showsSecrets: Bool { configuration.showsSecrets && address.isLoopback }
  var folder: String? { configuration.cassettes.first { Folder.resolvedKind(of: $0) == .folder } }
  var isReadOnly: Bool { configuration.isReadOnly }
  var isWatching: Bool { configuration.watches }
  var gates: AnswerGates { configuration.gates }
  var exports: [String: ControlExport] { configuration.exports }
  func run(_ job: @escaping @Sendable () -> Void) { matchingPool.run(job) }
  func breaches(of request: HTTPRequest, answeredBy recording: Interaction?) -> [String] {
    guard let specifications, specifications.holdsRecordings || recording == nil, specifications.mode != .off else {
      return []
    }
    return specifications.breaches(of: request, answeredBy: recording)
  }
  func table(_ number: Int) -> RecordingTable? { tables.withLock { $0[number] } }
}

extension Plan {
  /// Returns the plan of a specification's answer.
  fileprivate static func specified(_ answer: SpecificationAnswer, number: UInt64) -> Plan {
    let breach = SpecificationAnswer.note(answer.findings)
    return .made(
      PlayedResponse(answer.response), by: .specification(operation: answer.operation, breach: breach), number: number)
  }

  /// Stores a contract violation, which is sent as a field of the answer.
  fileprivate mutating func note(breach: String?) {
    guard var playback, let breach else { return }
    playback.breach = breach
    self = .response(playback)
  }
}

/// The number of elements so far, and the latest of them.
private struct Latest<Element: Sendable>: Sendable {
  /// The maximum number of stored elements.
  private static var most: Int { 200 }

  private(set) var total = 0
  var kept: [Element] = []

  /// Counts and stores an element, and drops the oldest if necessary.
  mutating func append(_ element: Element) {
    total += 1
    if kept.count == Self.most { kept.removeFirst() }
    kept.append(element)
  }
}

extension Plan {
  /// The number of the request.
  private var number: UInt64 {
    switch self {
    case .constant(let playback), .response(let playback): playback.request
    case .made(_, _, let number): number
    case .miss(let miss): miss.number
    }
  }

  /// Returns a plan with a failure in place of this plan's answer.
  func failing(_ code: Int) -> Plan {
    let failure = RecordedFailure(code: code)
    return .made(PlayedResponse(failure), by: .fault(failure.name), number: number)
  }
}

extension ServerState {
  /// Returns the gate that holds an answer; nil if no gate does.
  func gate(for request: HTTPRequest, _ plan: Plan) -> CassetteGate? {
    configuration.gates.gate(for: request, stub: plan.playback?.recording.interaction.id)
  }
}
