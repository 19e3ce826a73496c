extension Bench {
  /// Requests a second through a recorder that keeps every exchange on the disk, beside nginx that only passes them on.
  ///
  /// Both ask the same nginx. A recorder is started anew for each run: it remembers what it recorded until its end.
  func record() throws {
    let body = Recordings.body
    let origin = try starter.nginx(answering: body)
    defer { origin.end() }
    let proxy = try starter.nginx(passingTo: origin.port)
    defer { proxy.end() }
    guard try proxy.body(of: Recordings.path) == Array(body.utf8) else { throw Failure("nginx passes on other bytes") }
    _ = try wrk.run(Wrk.Load(connections: 64), on: proxy, path: Recordings.path, for: 1)

    System.say("\nrecord: \(body.utf8.count) bytes of JSON from an origin, runs of \(options.seconds) s, medians")
    var table = Table(["connections", "record/s", "nginx/s", "ratio", "CPU s/100k", "nginx", "ratio", "MB"])
    for connections in [1, 16, 64, 256] {
      let (name, load) = ("\(connections)", Wrk.Load(connections: connections))
      var results: [[Wrk.Result]] = [[], []]
      var run = 0
      try interleaved([nil, proxy]) { place, contender in
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
      note(.record, name, "nginx", results[1])
      let (mine, theirs) = (results[0], results[1])
      let rate = mine.map(\.rate).divided(by: theirs.map(\.rate))
      let processor = mine.map(\.processor).divided(by: theirs.map(\.processor))
      report.note(.record, name, "mockserver/nginx", "requests/s", "ratio", rate)
      report.note(.record, name, "mockserver/nginx", "CPU", "ratio", processor)
      table.add([
        name, mine.map(\.rate).median.fixed(0), theirs.map(\.rate).median.fixed(0), rate.spread(),
        mine.map(\.processor).median.fixed(3), theirs.map(\.processor).median.fixed(3), processor.spread(),
        mine.map(\.resident).median.megabytes,
      ])
    }
    table.show()
  }
}
