internal import CassettePlayback
public import CassetteSecrets
@_exported public import CassetteSession
public import Cassettes
public import Testing

/// Answers a test's requests with a cassette or stubs.
public struct CassetteTrait: TestTrait, SuiteTrait, TestScoping {
  enum Source: Sendable {
    case cassette(String, folder: String?, perCase: Bool)
    case stub(CassetteStub)
    case redaction(CassetteRedaction)
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

  /// True, so that the trait of a suite is applied to each of its tests, each with a separate deck.
  public var isRecursive: Bool { true }

  /// Runs the test with its deck, and reports problems at the test's line.
  ///
  /// - Parameters:
  ///   - test: The test to run.
  ///   - testCase: The case of a test with arguments; nil for other tests.
  ///   - function: Runs the body of the test.
  /// - Throws: The error that the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let report = Report(test.sourceLocation)
    // Another trait of the same test has created the scope: this trait adds to its deck.
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
    // The error has been reported together with a miss or a refused request.
    if let error = ending.error, refusal == nil, scope.player.ledger.misses.isEmpty { throw error }
  }

  /// Records the position of the trait: a suite is prepared before its tests.
  ///
  /// - Parameter test: A suite or test that has the trait.
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
    case .faults, .clock: "faults"
    }
  }

  /// Adds the trait's cassette, stub or setting to the scope; returns false if that fails, so that the test does not
  /// run.
  private func set(up scope: CassetteScope, _ test: Test, _ testCase: Test.Case?, _ report: Report) -> Bool {
    if let strictness { scope.strictness = strictness }
    if scope.strictness.level == .strict { scope.player.beStrict() }
    do throws(CassetteError) {
      if scope.denial == nil { try scope.denyNetwork(false) }
      switch source {
      // Redactions were applied when the scope was created.
      case .redaction, .faults: break
      case .noNetwork: try scope.denyNetwork(true)
      case .clock(let clock): scope.player.use(clock)
      case .stub(let stub):
        if let problem = stub.problem { throw problem }
        scope.player.add([stub], scope: StubScopes.depth(of: stub.place))
      case .cassette(let name, let folder, let perCase):
        var name = name
        if perCase {
          guard let suffix = CaseName.of(testCase) else {
            throw CassetteError(file: name, message: "perCase requires a test with arguments")
          }
          name += "-\(suffix)"
        }
        let mode = try CassetteMode.ofTest(mode)
        let filter = TestFilter.of(test)
        let paths = try CassettePlace.paths(name, in: folder, filePath: filePath, mode: mode, filter: filter)
        try scope.player.add(
          paths: paths, mode: mode, matching: matching, for: RecordingTest(test, testCase, at: test.sourceLocation))
        if mode.records { RecordingConclusion.expect() }
        scope.player.record(by: .test(filter: filter))
      }
      scope.player.inject(faults)
      return true
    } catch {
      report.fail(error, of: test.displayName ?? test.name)
      return false
    }
  }
}

extension CassetteRedaction {
  /// Returns the standard redaction combined with the redactions in the traits of a test and its suites.
  package static func asked(by test: Test? = .current) -> CassetteRedaction {
    (test?.traits ?? []).reduce(.standard) { redaction, trait in
      guard case .redaction(let more) = (trait as? CassetteTrait)?.source else { return redaction }
      return redaction.merging(more)
    }
  }
}

extension Trait where Self == CassetteTrait {
  /// Answers a test's requests with a cassette: `Cassettes/NAME.json` relative to the test file.
  ///
  /// ```swift
  /// @Test(.cassette("github-user")) func profile() async throws {
  ///   let github = GitHub(session: .cassette)
  /// }
  /// ```
  /// A request that no recording answers fails the test at its line, with an explanation.
  ///
  /// - Parameters:
  ///   - name: The name of the cassette without `.json`, or of a folder of cassettes.
  ///   - folder: The folder of the cassette, relative to the test file or absolute. `Cassettes` by default.
  ///   - perCase: True to use a separate cassette for each case: `NAME-ARGUMENT`. False by default.
  ///   - session: The session that the cassette answers in addition to the test's own. None by default.
  ///   - strictness: The way to report unused recordings, and requests in another order than recorded.
  ///   - matching: The parts that may differ from the recordings. By default, only generated values.
  ///   - mode: The mode: replay or record. `CASSETTE_MODE` in the environment takes precedence.
  ///   - faults: The faults and delays to apply to the answers; the cassette is not changed.
  ///   - filePath: The path of the test file.
  /// - Returns: The trait.
  public static func cassette(
    _ name: String, in folder: String? = nil, perCase: Bool = false, session: CassettePlayedSession = .own,
    _ strictness: CassetteStrictness? = nil, matching: CassetteMatchingOptions..., mode: CassetteMode? = nil,
    with faults: CassetteFault..., filePath: String = #filePath
  ) -> Self {
    CassetteTrait(
      source: .cassette(name, folder: folder, perCase: perCase), session: session, strictness: strictness, mode: mode,
      matching: CassetteMatchingOptions(matching), faults: faults, filePath: filePath)
  }

  /// Redacts additional secrets in a test's recordings: `.redacting(.header("X-Team"), .json("$.iban"))`.
  ///
  /// - Parameter places: The places of the secrets; an invalid `json` path is a programming error.
  /// - Returns: The trait.
  public static func redacting(_ places: CassetteRedaction.Place...) -> Self {
    CassetteTrait(source: .redaction(places.reduce(.standard) { $0.redacting($1) }))
  }

  /// Replaces the values at a place in a test's recordings with a fixed text: `.redacting(.json("$.iban"), with:
  /// "DE00…")`.
  ///
  /// - Parameters:
  ///   - place: The place of the secret; the scheme of a field, such as `Bearer`, is kept.
  ///   - text: The replacement, in the cassette and for the client.
  /// - Returns: The trait.
  public static func redacting(_ place: CassetteRedaction.Place, with text: String) -> Self {
    CassetteTrait(source: .redaction(.redacting(place, with: text)))
  }

  /// Replaces the values at a place in a test's recordings with the results of a closure.
  ///
  /// - Parameters:
  ///   - place: The place of the secret; the scheme of a field, such as `Bearer`, is kept.
  ///   - make: Returns the replacement of a secret, in the cassette and for the client.
  /// - Returns: The trait.
  public static func redacting(
    _ place: CassetteRedaction.Place, _ make: @escaping @Sendable (_ secret: String) -> String
  )
    -> Self
  {
    CassetteTrait(source: .redaction(.redacting(place, make)))
  }

  /// Keeps the values at these places in a test's recordings, although they look like secrets.
  ///
  /// - Parameter places: The places of values that are not secret; a `value` is also accepted by the check for leaked
  ///   secrets.
  /// - Returns: The trait.
  public static func keeping(_ places: CassetteRedaction.Place...) -> Self {
    CassetteTrait(source: .redaction(places.reduce(.standard) { $0.keeping($1) }))
  }

  /// Records bodies that cannot be searched for secrets: archives, and content codings that cannot be decoded.
  ///
  /// Without this trait, such an exchange is not recorded, and the reason is reported.
  public static var keepingOpaque: Self { CassetteTrait(source: .redaction(.keepingOpaque())) }

  /// Applies faults to the answers of the other traits of a test or its suite.
  ///
  /// ```swift
  /// @Suite(.cassette("github")) struct Retries {
  ///   @Test(.faults(.status(503, first: 1))) func `a busy server is asked again`() async throws { … }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - faults: The faults and delays to apply.
  ///   - filePath: The path of the test file.
  /// - Returns: The trait.
  public static func faults(_ faults: CassetteFault..., filePath: String = #filePath) -> Self {
    CassetteTrait(source: .faults, strictness: nil, faults: faults, filePath: filePath)
  }

  /// Sets the strictness of a test, or of all tests of a suite whose other traits set none.
  ///
  /// - Parameter strictness: The way to report deviations, such as `.warns.refusingApproximations`.
  /// - Returns: The trait.
  public static func strictness(_ strictness: CassetteStrictness) -> Self {
    CassetteTrait(source: .faults, strictness: strictness)
  }

  /// Uses a clock for the delays, latencies, throttles and timeouts of a test's requests.
  ///
  /// - Parameter clock: A clock that the test advances, or a clock whose `sleep` returns immediately.
  /// - Returns: The trait.
  public static func clock(_ clock: any Clock<Duration>) -> Self { CassetteTrait(source: .clock(clock)) }

  /// Denies the network to the process while a test runs, for all sessions, including those created earlier.
  ///
  /// A refused request fails the test at its line. Loopback connections are allowed, and so are requests that a
  /// cassette records, in a mode that records. `CASSETTE_NETWORK=deny` in the environment denies the network for the
  /// whole process. On Apple platforms, only requests on `URLSession.shared` and on sessions that cassettes answer are
  /// refused.
  public static var noNetwork: Self { CassetteTrait(source: .noNetwork) }

  /// Answers requests of a test with a stub; several stubs and a cassette can be combined.
  ///
  /// - Parameters:
  ///   - request: The requests to answer.
  ///   - answers: The answers to successive requests; the last answer is repeated.
  ///   - session: The session that the stub answers in addition to the test's own. None by default.
  ///   - strictness: The way to report unused answers.
  ///   - filePath: The file of the trait.
  ///   - line: The line of the trait.
  ///   - column: The column of the trait.
  /// - Returns: The trait.
  public static func stub(
    _ request: CassetteStub.Request, _ answers: CassetteStub.Answer..., session: CassettePlayedSession = .own,
    strictness: CassetteStrictness? = nil, filePath: String = #filePath, line: Int = #line, column: Int = #column
  ) -> Self {
    let place = SourcePlace(file: filePath, line: line, column: column)
    return CassetteTrait(
      source: .stub(CassetteStub(request, answers, place: place)), session: session, strictness: strictness,
      filePath: filePath)
  }
}
