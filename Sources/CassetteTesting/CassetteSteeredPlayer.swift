import CassettePlayback
public import CassetteSession
import Cassettes

extension CassetteSteeredPlayer {
  /// Adds a stub before all that plays already; the newest comes first.
  ///
  /// - Parameters:
  ///   - request: What it answers.
  ///   - answers: What it says, one after the other; the last one again and again.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func stub(
    _ request: CassetteStub.Request, _ answers: CassetteStub.Answer..., fileID: String = #fileID,
    file: StaticString = #filePath,
    line: Int = #line, column: Int = #column
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

  /// Holds the answers to requests, of recordings and stubs, until the test opens a gate.
  ///
  /// - Parameters:
  ///   - request: The requests whose answers are held: `.get("/users/{name}")`.
  ///   - gate: The gate, `let gate = CassetteGate()`.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
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

  /// Returns the requests that came so far and that a stub for these would answer.
  ///
  /// - Parameter request: Which: `.post("/todos")`, `.get("/users/{name}")`.
  /// - Returns: Those requests, in the order they came.
  public func requests(matching request: CassetteStub.Request) -> [CassetteSentRequest] {
    requests.filter { $0.matches(request) }
  }

  /// Fails the test unless so many requests came so far; the failure names the nearest and its differences.
  ///
  /// - Parameters:
  ///   - request: Which requests.
  ///   - count: How many of them.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
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

  /// Waits until so many requests have come, and fails the test when they do not.
  ///
  /// - Parameters:
  ///   - request: Which requests.
  ///   - times: How many of them.
  ///   - duration: How long is waited.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The requests that came.
  @discardableResult
  public func wait(
    for request: CassetteStub.Request, times: Int = 1, within duration: Duration = .seconds(5),
    fileID: String = #fileID,
    file: StaticString = #filePath, line: Int = #line, column: Int = #column
  ) async -> [CassetteSentRequest] {
    let end = ContinuousClock.now + duration
    while true {
      let all = requests
      let found = all.filter { $0.matches(request) }
      if found.count >= times { return found }
      if ContinuousClock.now >= end || Task.isCancelled {
        Report(fileID: fileID, file: file, line: line, column: column).fail(
          Self.words(request, ExpectedCount(atLeast: times), found, of: all) + "\n  It was waited for \(duration).")
        return found
      }
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  private static func words(
    _ request: CassetteStub.Request, _ count: ExpectedCount, _ found: [CassetteSentRequest],
    of all: [CassetteSentRequest]
  ) -> String {
    var lines = ["\(request.shown) was expected \(count.words), and came \(ExpectedCount.times(found.count))"]
    if all.isEmpty { lines.append("  No request came at all.") }
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

/// The states that the scenarios of a player are in.
public struct CassetteScenarios: Sendable {
  let steering: CassetteSteering

  /// The state of a scenario; one that nothing speaks of fails the test.
  ///
  /// - Parameters:
  ///   - name: The scenario's name in `when` and `then`.
  ///   - fileID: The test file, for the report.
  ///   - file: The test file.
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
      report.fail("no recording and no stub speaks of a scenario \"\(name)\"\(hint(name, all.keys))")
      return false
    }
    if let state, !states.contains(state) {
      report.fail("nothing speaks of a state \"\(state)\" of \"\(name)\"\(hint(state, states))")
      return false
    }
    return true
  }
}
