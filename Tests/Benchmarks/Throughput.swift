extension Bench {
  /// Measures requests per second and processor time for one recording, and for nginx with the same bytes.
  func throughput() throws {
    let loads: [(String, Wrk.Load)] =
      [1, 16, 64, 256].map { ("\($0)", Wrk.Load(connections: $0)) }
      + [("64, close", Wrk.Load(connections: 64, closes: true))]
    try throughput(
      "--log none, and nginx's return", in: "", loads, starter.mockserver(recordings(1)), starter.nginx(answering:))
    #if os(Linux)
      // The only event loop of Apple platforms.
      try throughput(
        "--loop dispatch --log none, and nginx's return", in: "dispatch, ",
        [1, 16, 64, 256].map { ("\($0)", Wrk.Load(connections: $0)) },
        starter.dispatchMockserver(recordings(1)), starter.nginx(answering:))
    #endif
    try throughput(
      "default options, and nginx with an access_log, each to a file", in: "log, ",
      [16, 64, 256].map { ("\($0)", Wrk.Load(connections: $0)) }, starter.loggingMockserver(recordings(1)),
      starter.loggingNginx(answering:))
  }

  /// - Parameters:
  ///   - title: The title of the comparison.
  ///   - prefix: The prefix of the names of the cases in the report.
  ///   - loads: The loads of wrk.
  ///   - ours: The mock server.
  ///   - theirs: Starts nginx with the body sent by our server, which differs from the recorded body by its links.
  /// - Throws: An error if a server or wrk fails.
  private func throughput(
    _ title: String, in prefix: String, _ loads: [(String, Wrk.Load)], _ ours: Contender,
    _ theirs: (String) throws -> Contender
  ) throws {
    defer { ours.end() }
    let body = try ours.body(of: Recordings.path)
    let nginx = try theirs(String(decoding: body, as: UTF8.self))
    defer { nginx.end() }
    let contenders = [ours, nginx]
    guard try nginx.body(of: Recordings.path) == body else { throw Failure("nginx answers with other bytes") }
    System.pause(0.2)
    let calm = contenders.map(\.usage.resident)
    for contender in contenders {
      _ = try wrk.run(Wrk.Load(connections: 64), on: contender, path: Recordings.path, for: 1)
    }

    System.say("\nthroughput, \(title): \(body.count) bytes of JSON, runs of \(options.seconds) s, medians")
    var table = Table([
      "connections", "mockserver/s", "nginx/s", "ratio", "CPU s/100k", "nginx", "ratio", "99% ms", "nginx",
    ])
    var loaded = [0.0, 0.0]
    for (name, load) in loads {
      var results: [[Wrk.Result]] = [[], []]
      try interleaved(contenders) { place, contender in
        results[place].append(try wrk.run(load, on: contender, path: Recordings.path))
        try contender.emptyLog()
      }
      for (place, contender) in contenders.enumerated() {
        note(.throughput, prefix + name, contender.name, results[place])
        loaded[place] = max(loaded[place], results[place].map(\.resident).max() ?? 0)
      }
      let (mine, theirs) = (results[0], results[1])
      let rate = mine.map(\.rate).divided(by: theirs.map(\.rate))
      let processor = mine.map(\.processor).divided(by: theirs.map(\.processor))
      report.note(.throughput, prefix + name, "mockserver/nginx", "requests/s", "ratio", rate)
      report.note(.throughput, prefix + name, "mockserver/nginx", "CPU", "ratio", processor)
      table.add([
        name, mine.map(\.rate).median.fixed(0), theirs.map(\.rate).median.fixed(0), rate.spread(),
        mine.map(\.processor).median.fixed(3), theirs.map(\.processor).median.fixed(3), processor.spread(),
        (mine.map(\.latency).median * 1e3).fixed(2), (theirs.map(\.latency).median * 1e3).fixed(2),
      ])
    }
    table.show()
    for (place, contender) in contenders.enumerated() {
      report.note(.throughput, prefix + "idle", contender.name, "RSS", "bytes", [calm[place]])
      report.note(.throughput, prefix + "loaded", contender.name, "RSS", "bytes", [loaded[place]])
      System.say("  \(contender.name): \(calm[place].megabytes) MB idle, \(loaded[place].megabytes) MB loaded")
    }
  }

  /// Adds the results of wrk to the report, and prints a message if requests failed.
  func note(_ benchmark: Options.Benchmark, _ name: String, _ contender: String, _ results: [Wrk.Result]) {
    report.note(benchmark, name, contender, "requests/s", "1/s", results.map(\.rate))
    report.note(benchmark, name, contender, "CPU", "s/100k requests", results.map(\.processor))
    report.note(benchmark, name, contender, "latency of 99%", "s", results.map(\.latency))
    let faults = results.map(\.faults).reduce(0, +)
    if faults > 0 {
      report.note(benchmark, name, contender, "faults", "requests", results.map { Double($0.faults) })
      System.say("  WORTHLESS: \(contender) failed \(faults) requests at \(name)")
    }
  }
}
