import CassettePlayback
public import CassetteSession
import Cassettes

extension CassetteSteeredPlayer {
  /// Adds a stub, which takes precedence over all recordings and earlier stubs.
  ///
  /// - Parameters:
  ///   - request: The requests to answer.
  ///   - answers: The answers to successive requests; the last answer is repeated.
  ///   - fileID: The file ID of the test file, for failures.
  ///   - file: The path of the test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func stub(
    _ request: CassetteStub.Request, _ answers: CassetteStub.Answer..., fileID: String = #fileID,
    file: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let report = Report(fileID: fileID, file: file, line: line, column: column)
    let stub = CassetteStub(request, answers, place: SourcePlace(file: "\(file)", line: line, column: column))
    if let problem = stub.problem { return report.fail(problem.message) }
    do throws(AddedStub.Refusal) {
      try steering.add(stub)
    } catch {
      report.fail("the stub was not added: \(error)")
    }
  }

  /// Holds the answers to requests, from recordings and stubs, until the test opens a gate.
  ///
  /// - Parameters:
  ///   - request: The requests whose answers are held: `.get("/users/{name}")`.
  ///   - gate: The gate that holds the answers: `let gate = CassetteGate()`.
  ///   - fileID: The file ID of the test file, for failures.
  ///   - file: The path of the test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func hold(
    _ request: CassetteStub.Request, by gate: CassetteGate, fileID: String = #fileID, file: StaticString = #filePath,
    line: Int = #line, column: Int = #column
  ) {
    if let problem = request.problemText {
      return Report(fileID: fileID, file: file, line: line, column: column).fail(problem)
    }
    steering.gates.add { asked, _ in request.accepts(asked) ? gate : nil }
  }

  /// Fails the test unless the expected number of requests was received; the failure describes the most similar request
  /// and its differences.
  ///
  /// - Parameters:
  ///   - request: The requests to count.
  ///   - count: The expected number of requests. By default, at least one.
  ///   - fileID: The file ID of the test file, for failures.
  ///   - file: The path of the test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func verify(
    _ request: CassetteStub.Request, _ count: CassetteRequestCount = .atLeast(1), fileID: String = #fileID,
    file: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) {
    let all = requests
    let found = all.filter { $0.matches(request) }
    guard !count.count.holds(found.count) else { return }
    Report(fileID: fileID, file: file, line: line, column: column).fail(
      Self.words(request, count.count, found, of: all))
  }

  /// Waits for a number of requests, and fails the test if they are not received in time.
  ///
  /// - Parameters:
  ///   - request: The requests to wait for.
  ///   - times: The number of requests. 1 by default.
  ///   - duration: The maximum time to wait. 5 seconds by default.
  ///   - fileID: The file ID of the test file, for failures.
  ///   - file: The path of the test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The matching requests.
  @discardableResult
  public func wait(
    for request: CassetteStub.Request, times: Int = 1, within duration: Duration = .seconds(5),
    fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) async -> [CassetteSentRequest] {
    let end = ContinuousClock.now + duration
    while true {
      let all = requests
      let found = all.filter { $0.matches(request) }
      if found.count >= times { return found }
      if ContinuousClock.now >= end || Task.isCancelled {
        Report(fileID: fileID, file: file, line: line, column: column).fail(
          Self.words(request, ExpectedCount(atLeast: times), found, of: all) + "\n  Waited for \(duration).")
        return found
      }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  private static func words(
    _ request: CassetteStub.Request, _ count: ExpectedCount, _ found: [CassetteSentRequest],
    of all: [CassetteSentRequest]
  ) -> String {
    var lines = ["\(request.shown) was expected \(count.words), but was \(ExpectedCount.received(found.count))"]
    if all.isEmpty { lines.append("  No requests were received.") }
    if found.count < count.atLeast {
      let others = all.filter { !$0.matches(request) }
      for near in request.expected.nearest(among: others.map(\.request)) {
        lines.append("  near: \(others[near.index])")
        lines += near.mismatches.prefix(6).map { "    \($0)" }
      }
    } else {
      lines += found.prefix(10).map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  /// The states of scenarios: `server.scenarios["cart"] = "full"`.
  public var scenarios: CassetteScenarios { CassetteScenarios(steering: steering) }
}

/// The states of a player's scenarios.
public struct CassetteScenarios: Sendable {
  let steering: CassetteSteering

  /// Accesses the state of a scenario.
  ///
  /// Fails the test if no recording or stub uses the scenario.
  ///
  /// - Parameters:
  ///   - name: The scenario's name in `when` and `then`.
  ///   - fileID: The file ID of the test file, for failures.
  ///   - file: The path of the test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public subscript(
    name: String, fileID: String = #fileID, file: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) -> String {
    get {
      check(name, nil, Report(fileID: fileID, file: file, line: line, column: column))
      return steering.deck.state(of: name)
    }
    nonmutating set {
      guard check(name, newValue, Report(fileID: fileID, file: file, line: line, column: column)) else { return }
      steering.deck.enter(newValue, of: name)
    }
  }

  @discardableResult
  private func check(_ name: String, _ state: String?, _ report: Report) -> Bool {
    let all = steering.deck.scenarios(for: "")
    func hint(_ word: String, _ words: some Sequence<String>) -> String {
      let words = words.sorted()
      return nearest(to: word, among: words).map { ": did you mean \"\($0)\"?" }
        ?? (words.isEmpty ? "" : ": there are \(words.map { "\"\($0)\"" }.joined(separator: ", "))")
    }
    guard let states = all[name] else {
      report.fail("no recording or stub has the scenario \"\(name)\"\(hint(name, all.keys))")
      return false
    }
    if let state, !states.contains(state) {
      report.fail("no recording or stub has the state \"\(state)\" of \"\(name)\"\(hint(state, states))")
      return false
    }
    return true
  }
}
