internal import CassettePlayback
public import CassetteSecrets
@_exported public import CassetteSession
public import Cassettes
public import Testing

/// Lets a cassette or stubs answer a test's requests.
public struct CassetteTrait: TestTrait, SuiteTrait, TestScoping {
  enum Source: Sendable {
    case cassette(String, folder: String?, perCase: Bool)
    case stub(CassetteStub)
    case redaction(CassetteRedaction)
    case gate(CassetteStub.Request, CassetteGate)
    case clock(any Clock<Duration>)
    case faults, noNetwork
  }

  let source: Source
  var session = CassettePlayedSession.own
  var strictness: CassetteStrictness?
  var mode: CassetteMode?
  var matching = CassetteMatchingOptions()
  var faults: [CassetteFault] = []
  var filePath = ""

  /// True, so that a suite's trait is applied to each of its tests, with one deck each.
  public var isRecursive: Bool { true }

  /// Runs the test with its deck, and reports problems at the test's line.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: Its case, when it has arguments.
  ///   - function: The test itself.
  /// - Throws: What the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let report = Report(test.sourceLocation)
    // Another trait of the same test has begun: this one joins its deck.
    if let scope = CassetteScope.current {
      guard set(up: scope, test, testCase, report) else { return }
      return try await run(function, in: scope)
    }
    let scope = CassetteScope(CassettePlayer(name: test.displayName ?? test.name), strictness ?? .warns)
    scope.player.redact { $0.merging(.asked(by: test)) }
    guard set(up: scope, test, testCase, report) else {
      _ = scope.denial?.end()
      return
    }
    let ending = await Verdict().watching(test, testCase, scope.player) {
      try await scope.run(for: scope.player.name, at: test.sourceLocation) { try await run(function, in: scope) }
    }
    report.end(scope.player, of: name, scope.strictness, ending)
    let refusal = report.refusal(scope.denial, ending)
    if let refusal { report.fail(refusal) }
    // Beside a miss or a refusal the error was told of with it.
    if let error = ending.error, refusal == nil, scope.player.ledger.misses.isEmpty { throw error }
  }

  /// Notes the place of the trait: it is prepared for its suite before the tests in it.
  ///
  /// - Parameter test: A suite or a test that has it.
  public func prepare(for test: Test) async {
    if case .stub(let stub) = source { StubScopes.note(stub.place, test.id.nameComponents.count) }
  }

  private func run(_ function: @Sendable () async throws -> Void, in scope: CassetteScope) async throws {
    try await NetworkDenial.$current.withValue(scope.denial) {
      switch session {
      case .own: try await function()
      case .shared: try await SharedSession.answer(by: scope.player) { try await function() }
      }
    }
  }

  private var name: String {
    switch source {
    case .cassette(let name, _, _): name
    case .stub: "stubs"
    case .redaction, .noNetwork: "no cassette"
    case .faults, .gate, .clock: "faults"
    }
  }

  /// Tells whether the test can run.
  private func set(up scope: CassetteScope, _ test: Test, _ testCase: Test.Case?, _ report: Report) -> Bool {
    if let strictness { scope.strictness = strictness }
    if scope.strictness.level == .strict { scope.player.beStrict() }
    do throws(CassetteError) {
      if scope.denial == nil { try scope.denyNetwork(false) }
      switch source {
      // A redaction was asked for when the scope began.
      case .redaction, .faults: break
      case .noNetwork: try scope.denyNetwork(true)
      case .gate(let request, let gate):
        if let problem = request.problemText { throw CassetteError(file: filePath, message: problem) }
        scope.player.gates.add { asked, _ in request.accepts(asked) ? gate : nil }
      case .clock(let clock): scope.player.use(clock)
      case .stub(let stub):
        if let problem = stub.problem { throw problem }
        scope.player.add([stub], scope: StubScopes.depth(of: stub.place))
      case .cassette(let name, let folder, let perCase):
        var name = name
        if perCase {
          guard let suffix = CaseName.of(testCase) else {
            throw CassetteError(file: name, message: "perCase wants a test with arguments")
          }
          name += "-\(suffix)"
        }
        let mode = try CassetteMode.ofTest(mode)
        let paths = try CassettePlace.paths(name, in: folder, filePath: filePath, mode: mode)
        try scope.player.add(
          paths: paths, mode: mode, matching: matching, for: RecordingTest(test, testCase, at: test.sourceLocation))
        if mode.records { RecordingConclusion.expect() }
        scope.player.record(by: .test(filter: Test.current.map { String($0.name.prefix { $0 != "(" }) }))
      }
      scope.player.inject(faults)
      return true
    } catch {
      report.fail("\(error)")
      return false
    }
  }
}

extension CassetteRedaction {
  /// Returns the standard redaction with all that the traits of a test, and of its suites, ask for.
  package static func asked(by test: Test? = .current) -> CassetteRedaction {
    (test?.traits ?? []).reduce(.standard) { redaction, trait in
      guard case .redaction(let more) = (trait as? CassetteTrait)?.source else { return redaction }
      return redaction.merging(more)
    }
  }
}

extension Trait where Self == CassetteTrait {
  /// Lets a cassette answer a test's requests: `Cassettes/NAME.json` beside the test file.
  ///
  /// ```swift
  /// @Test(.cassette("github-user")) func profile() async throws {
  ///   let github = GitHub(session: .cassette)
  /// }
  /// ```
  /// A request that no recording answers fails the test at its line, with the explanation.
  ///
  /// - Parameters:
  ///   - name: The cassette's name without `.json`, or that of a folder of cassettes.
  ///   - folder: Where it lies instead: a path relative to the test file, or an absolute one.
  ///   - perCase: Whether each case has a cassette of its own: `NAME-ARGUMENT`.
  ///   - session: Which session it answers besides the test's own.
  ///   - strictness: What becomes of recordings never asked for, and of requests in another order than recorded.
  ///   - matching: How requests are compared with recordings: a level, and what may differ; careful unless told.
  ///   - mode: Whether it is played or recorded; `CASSETTE_MODE` in the environment wins.
  ///   - faults: What goes wrong, or takes its time; the cassette stays as it is.
  ///   - filePath: The test file.
  /// - Returns: A trait.
  public static func cassette(
    _ name: String, in folder: String? = nil, perCase: Bool = false, session: CassettePlayedSession = .own,
    _ strictness: CassetteStrictness? = nil, matching: CassetteMatchingOptions..., mode: CassetteMode? = nil,
    with faults: CassetteFault...,
    filePath: String = #filePath
  ) -> Self {
    CassetteTrait(
      source: .cassette(name, folder: folder, perCase: perCase), session: session, strictness: strictness, mode: mode,
      matching: CassetteMatchingOptions(matching), faults: faults, filePath: filePath)
  }

  /// Takes out more than the usual secrets of a test's recordings: `.redacting(.header("X-Team"), .json("$.iban"))`.
  ///
  /// - Parameter places: Where secrets stand; a `json` path that cannot be read is a programmer's error.
  /// - Returns: A trait.
  public static func redacting(_ places: CassetteRedaction.Place...) -> Self {
    CassetteTrait(source: .redaction(places.reduce(.standard) { $0.redacting($1) }))
  }

  /// Replaces the values at a place of a test's recordings by a text: `.redacting(.json("$.iban"), with: "DE00…")`.
  ///
  /// - Parameters:
  ///   - place: Where the secret stands; a field's scheme, such as `Bearer`, stays.
  ///   - text: What takes its place, in the cassette and for the client.
  /// - Returns: A trait.
  public static func redacting(_ place: CassetteRedaction.Place, with text: String) -> Self {
    CassetteTrait(source: .redaction(.redacting(place, with: text)))
  }

  /// Replaces the values at a place of a test's recordings by what a closure makes of them.
  ///
  /// - Parameters:
  ///   - place: Where the secret stands; a field's scheme, such as `Bearer`, stays.
  ///   - make: Is given the secret, and gives what takes its place, in the cassette and for the client.
  /// - Returns: A trait.
  public static func redacting(
    _ place: CassetteRedaction.Place, _ make: @escaping @Sendable (_ secret: String) -> String
  )
    -> Self
  {
    CassetteTrait(source: .redaction(.redacting(place, make)))
  }

  /// Keeps the values at these places of a test's recordings, although they look like secrets.
  ///
  /// - Parameter places: What is no secret; a `value` is one the tripwire lets pass.
  /// - Returns: A trait.
  public static func keeping(_ places: CassetteRedaction.Place...) -> Self {
    CassetteTrait(source: .redaction(places.reduce(.standard) { $0.keeping($1) }))
  }

  /// Keeps bodies of a test's recordings that cannot be looked into: archives, and codings that cannot be decoded here.
  ///
  /// Without it such an exchange is not recorded, and it is said why.
  public static var keepingOpaque: Self { CassetteTrait(source: .redaction(.keepingOpaque())) }

  /// Lays faults over the answers of the other traits of a test, or of its suite.
  ///
  /// ```swift
  /// @Suite(.cassette("github")) struct Retries {
  ///   @Test(.faults(.status(503, first: 1))) func `a busy server is asked again`() async throws { … }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - faults: What goes wrong, or takes its time.
  ///   - filePath: The test file.
  /// - Returns: A trait.
  public static func faults(_ faults: CassetteFault..., filePath: String = #filePath) -> Self {
    CassetteTrait(source: .faults, strictness: nil, faults: faults, filePath: filePath)
  }

  /// Holds the answers to a test's requests, of recordings and stubs, until the test opens a gate.
  ///
  /// A gate belongs to one test: `withCassette` and `CassettePlayer.current.hold(_:by:)` are for tests with arguments.
  ///
  /// - Parameters:
  ///   - request: The requests whose answers are held: `.get("/users/{name}")`.
  ///   - gate: The gate, `static let gate = CassetteGate()`.
  ///   - filePath: The test file.
  /// - Returns: A trait.
  public static func held(
    _ request: CassetteStub.Request, by gate: CassetteGate, filePath: String = #filePath
  ) -> Self {
    CassetteTrait(source: .gate(request, gate), filePath: filePath)
  }

  /// Measures delays, gaps of streams, latency, throttles and time-outs of a test's requests by a clock.
  ///
  /// - Parameter clock: A clock that the test advances, or one whose sleep returns at once.
  /// - Returns: A trait.
  public static func clock(_ clock: any Clock<Duration>) -> Self { CassetteTrait(source: .clock(clock)) }

  /// Keeps the process off the network while a test runs, whichever session asks and whenever it was made.
  ///
  /// A refused request fails the test at its line. Loopback is not the network; neither is what a cassette records, in
  /// a mode that records. `CASSETTE_NETWORK=deny` in the environment says it for the whole process. On Apple platforms
  /// only `URLSession.shared` is refused, besides the sessions that cassettes answer.
  public static var noNetwork: Self { CassetteTrait(source: .noNetwork) }

  /// Lets code answer a request of a test; several stubs, and a cassette, make one deck.
  ///
  /// - Parameters:
  ///   - request: What is answered.
  ///   - answers: What is said, one after the other; the last one again and again.
  ///   - session: Which session they answer besides the test's own.
  ///   - strictness: What becomes of answers never asked for.
  ///   - filePath: The file it is written in.
  ///   - line: The line it is written in.
  ///   - column: The column it is written in.
  /// - Returns: A trait.
  public static func stub(
    _ request: CassetteStub.Request, _ answers: CassetteStub.Answer..., session: CassettePlayedSession = .own,
    strictness: CassetteStrictness? = nil,
    filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    let place = SourcePlace(file: filePath, line: line, column: column)
    return CassetteTrait(
      source: .stub(CassetteStub(request, answers, place: place)), session: session, strictness: strictness,
      filePath: filePath)
  }
}
