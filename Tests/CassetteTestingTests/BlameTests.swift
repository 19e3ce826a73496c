import Testing

/// Misuse of sessions is reported to the test that owns the session, and to no other.
@Suite struct `The blame for a request` {
  @Test func `lies with the test whose session is used`() throws {
    let run = try FailingProcess(
      filter: "LeakedWhileRunning|LeakedAfterTheEnd|LateAndDetached|SharedAndDetached",
      environment: ["CASSETTE_BLAME": "sessions"])
    let failures = run.issues.filter(\.isFailure)
    #expect(failures.filter { $0.test?.hasPrefix("innocent") == true } == [])
    #expect(failures.allSatisfy { $0.test != nil }, "\(failures)")
    for name in ["owner1", "owner2"] {
      let own = failures.filter { $0.test == name }
      #expect(own.count == 1, "\(name)")
      #expect(own.first?.text.contains("the client outlives the test that created it") == true, "\(own)")
    }
    let late = failures.filter { $0.test == "owner3" }
    #expect(late.count == 1)
    #expect(late.first?.text.contains("had ended") == true)
    #expect(Set(failures.compactMap(\.test)) == ["owner1", "owner2", "owner3"], "\(failures)")
    for number in 1...5 { #expect(run.passed.contains("innocent\(number)")) }
  }

  #if os(Linux)
    @Test func `lies with the run where the test is not known`() throws {
      let run = try FailingProcess(filter: "DeniedNetwork", environment: ["CASSETTE_BLAME": "network"])
      #expect(run.issues.filter(\.isFailure) == [])
      #expect(run.status != 0)
      #expect(
        run.output.contains("cassettes: error: connection to 203.0.113.9, port 80, by an unknown test"))
    }
  #endif

  @Test func `for unused recordings is one line for each file of a run`() throws {
    let run = try FailingProcess(filter: "UnplayedInTheRun", environment: ["CASSETTE_BLAME": "unplayed"])
    let lines = run.output.split(separator: "\n").filter {
      $0.contains("pair.json: ") && $0.contains("never played in this run")
    }
    #expect(lines.count == 1, "\(run.output)")
    #expect(
      lines.first?.contains("pair.json: 1 of 2 recordings were never played in this run: get-second at line ") == true)
    let failures = run.issues.filter(\.isFailure)
    #expect(Set(failures.compactMap(\.test)) == ["unused9", "unused10"], "\(failures)")
    #expect(
      failures.contains { $0.text.contains("no request reached this test's session; does the client use .cassette?") })
    #expect(failures.contains { $0.text.contains("no request reached this test's mock server") })
  }
}
