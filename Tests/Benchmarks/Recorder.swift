extension Bench {
  /// Compares the requests per second through a recorder that writes every exchange to disk with those through nginx.
  ///
  /// All contenders forward to the same nginx. A recorder is restarted for each run, because it keeps its recordings.
  func record() throws {
    let body = Recordings.body
    let origin = try starter.nginx(answering: body)
    defer { origin.end() }
    let proxies = try [true, false].map { try starter.nginx(passingTo: origin.port, keepsConnections: $0) }
    defer { for proxy in proxies { proxy.end() } }
    for proxy in proxies {
      guard try proxy.body(of: Recordings.path) == Array(body.utf8) else {
        throw Failure("nginx passes on other bytes")
      }
      _ = try wrk.run(Wrk.Load(connections: 64), on: proxy, path: Recordings.path, for: 1)
    }

    System.say(
      "\nrecord: \(body.utf8.count) bytes of JSON from an origin, runs of \(options.seconds) s, medians; nginx keeps its "
        + "connections to the origin, or by default does not")
    var table = Table([
      "connections", "record/s", "nginx/s", "ratio", "default", "ratio", "CPU s/100k", "nginx", "MB",
    ])
    for connections in [1, 16, 64, 256] {
      let (name, load) = ("\(connections)", Wrk.Load(connections: connections))
      var results: [[Wrk.Result]] = [[], [], []]
      var run = 0
      try interleaved([nil] + proxies.map(Optional.some)) { place, contender in
        if let contender {
          results[place].append(try wrk.run(load, on: contender, path: Recordings.path))
          return
        }
        run += 1
        let recorder = try starter.recorder(of: origin.port, into: "\(folder)/record-\(connections)-\(run).json")
        defer { recorder.abandon() }
        results[place].append(try wrk.run(load, on: recorder, path: Recordings.path))
      }
      note(.record, name, "mockserver record", results[0])
      var ratios: [[Double]] = []
      for (place, proxy) in proxies.enumerated() {
        note(.record, name, proxy.name, results[place + 1])
        let ratio = results[0].map(\.rate).divided(by: results[place + 1].map(\.rate))
        report.note(.record, name, "mockserver/\(proxy.name)", "requests/s", "ratio", ratio)
        ratios.append(ratio)
      }
      table.add([
        name, results[0].map(\.rate).median.fixed(0), results[1].map(\.rate).median.fixed(0), ratios[0].spread(),
        results[2].map(\.rate).median.fixed(0), ratios[1].spread(), results[0].map(\.processor).median.fixed(3),
        results[1].map(\.processor).median.fixed(3), results[0].map(\.resident).median.megabytes,
      ])
    }
    table.show()
  }
}
