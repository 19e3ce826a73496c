internal import CassetteHTTP
internal import CassetteOpenAPI
internal import CassetteSecrets
internal import CassetteSession
internal import CassetteSystem
internal import CassetteTesting
internal import Cassettes
import Testing

/// Checks exchanges when they are played, and collects the violations.
final class ContractWatch: Sendable {
  /// The findings about the request or the response of one exchange.
  struct Breach: Hashable, Sendable {
    /// The method and target of the request, with secrets masked.
    var request: String
    /// The source of the response: `the stub`, `"get-user" of "github" (file:line)`.
    var answer: String
    /// The operation and the response: `GET /users/{id} (getUser), 200`.
    var rule: String
    var isStub: Bool
    var place: SourcePlace?
    /// True if the findings are about the response, false for the request.
    var isAnswer: Bool
    var findings: [ContractFinding]
  }

  private let names: [String]
  private let checks: [ContractCheck]
  private let ignored: [String]
  private let breaches = Locked<(known: Set<Breach>, ordered: [Breach])>(([], []))
  /// The maximum number of stored violations; more of them most likely have the same cause.
  private static let most = 100

  init(_ names: [String], ignoring ignored: [String], filePath: String) throws(CassetteError) {
    self.names = names
    self.ignored = ignored
    var checks: [ContractCheck] = []
    for name in names { checks.append(try ContractDocuments.check(name, filePath: filePath)) }
    self.checks = checks
  }

  /// Runs a test, and checks the exchanges of existing players and of players that the test creates.
  func watching<Result>(
    _ function: () async throws -> Result, isolation: isolated (any Actor)? = #isolation
  ) async throws -> Result {
    if let player = CassettePlayer.ofTest { watch(player) }
    let observers = PlayedExchange.observers + [{ self.note($0) }]
    return try await PlayedExchange.$observers.withValue(observers, operation: function)
  }

  /// Checks the exchanges of an existing player.
  func watch(_ player: CassettePlayer) { player.observe { self.note($0) } }

  /// Checks an exchange, and stores its violations.
  func note(_ played: PlayedExchange) {
    let target = played.request.pathAndQuery
    guard !ignored.contains(where: target.hasPrefix) else { return }
    let exchange = ContractExchange(
      method: played.request.method.rawValue, target: target, requestHeaders: played.request.headers,
      requestBody: played.request.body, status: played.status.code, headers: played.headers, body: played.body)
    let results = checks.lazy.map { $0.check(exchange) }
    let chosen = results.enumerated().first { $0.element.operation != nil }
    guard let (index, result) = chosen ?? results.first.map({ (0, $0) }) else { return }
    let line = "\(exchange.method) \(SecretNames.masked(url: target))"
    var rule = names[index]
    if let operation = result.operation {
      let name = "\(operation.method) \(operation.path)"
      rule += ", \(name)\(operation.name == name ? "" : " (\(operation.name))"), status \(exchange.status ?? 0)"
    } else {
      rule = names.joined(separator: " and ")
    }
    for isAnswer in [false, true] {
      let findings = result.findings.filter { $0.place.hasPrefix("response") == isAnswer }
      guard !findings.isEmpty else { continue }
      add(
        Breach(
          request: line, answer: Self.shown(played), rule: rule, isStub: played.isStub,
          // If the API does not have the path, the stub must be corrected, not the request.
          place: played.recording?.place, isAnswer: isAnswer || result.operation == nil && played.isStub,
          findings: findings))
    }
  }

  private func add(_ breach: Breach) {
    breaches.withLock { breaches in
      guard breaches.ordered.count < Self.most, breaches.known.insert(breach).inserted else { return }
      breaches.ordered.append(breach)
    }
  }

  private static func shown(_ played: PlayedExchange) -> String {
    guard let recording = played.recording else { return "a derived response" }
    let place = recording.place.map { " (\($0.file):\($0.line))" } ?? ""
    return played.isStub ? "the stub\(place)" : "\"\(recording.id)\" of \"\(recording.cassette)\"\(place)"
  }

  /// The violations so far, in the order of the exchanges.
  var found: [Breach] { breaches.withLock { $0.ordered } }

  /// Fails the test for violations, and for undocumented data warns or fails according to `strictness`.
  func report(_ strictness: CassetteStrictness, by caller: Report) {
    for breach in found {
      // XCTest reports failures at the line of the call, so the text contains the location of the stub.
      let report = Test.current == nil ? caller : breach.location(in: caller.location).map { Report($0) } ?? caller
      let told = breach.text { $0.severity == .error || strictness.level == .strict }
      if let told { report.fail(told) }
      guard strictness.level == .warns, let odd = breach.text(where: { $0.severity == .warning }) else { continue }
      report.warn(odd)
    }
  }
}

extension ContractWatch.Breach {
  /// The maximum number of findings that are reported for one exchange.
  private static let most = 6

  /// Returns the location of the stub if the stub must be changed.
  func location(in test: SourceLocation) -> SourceLocation? {
    guard isStub, isAnswer, let place, place.line > 0 else { return nil }
    let module = test.fileID.prefix { $0 != "/" }
    let file = place.file.split(separator: "/").last ?? ""
    return SourceLocation(
      fileID: "\(module)/\(file)", filePath: place.file, line: place.line, column: max(1, place.column))
  }

  /// Describes the selected findings and the remedy, or returns nil if there are none.
  func text(where isTold: (ContractFinding) -> Bool) -> String? {
    let told = findings.filter(isTold)
    guard !told.isEmpty else { return nil }
    let isBroken = told.contains { $0.severity == .error }
    var lines = [
      isAnswer
        ? "\(request) is answered by \(answer) with a response that the API does not "
          + "\(isBroken ? "allow" : "document"). \(rule):"
        : "\(request) is a request that the API does not \(isBroken ? "allow" : "document"). \(rule):"
    ]
    for finding in told.prefix(Self.most) {
      lines.append("  \(finding.place): \(finding.words)\(finding.rule.map { " (\($0))" } ?? "")")
    }
    if told.count > Self.most { lines.append("  and \(told.count - Self.most) more") }
    lines.append("  \(remedy)")
    return lines.joined(separator: "\n")
  }

  private var remedy: String {
    if !isAnswer {
      return "Change the request of the client, or correct the document; ignoring: [\"/…\"] excludes paths."
    }
    if isStub { return "Change the response of the stub, or correct the document." }
    return "Record the request again, CASSETTE_MODE=record swift test --filter TEST, or correct the document."
  }
}
