extension Bench {
  /// Measures requests per second with many recordings: for one path, and for all paths at random.
  func scale() throws {
    let counts = [10, 10_000, 100_000]
    let load = Wrk.Load(connections: 64)
    let folders = try counts.map(recordings)
    let servers = try zip(counts, folders).map { try starter.mockserver($1, name: "mockserver \($0.formatted)") }
    defer { for server in servers { server.end() } }
    let nginx = try starter.nginx(answering: Recordings.body)
    defer { nginx.end() }
    let contenders = servers + [nginx]
    for contender in contenders { _ = try contender.body(of: Recordings.path) }
    let resident = contenders.map(\.usage.resident)
    for (count, server) in zip(counts, servers) { try askOnce(count, of: server) }
    let scripts = try counts.map { try Recordings.walk($0, in: folder) }

    System.say("\nscale: 64 connections, runs of \(options.seconds) s; medians, ratios to 10 recordings and to nginx")
    var table = Table([
      "recordings", "one path/s", "to 10", "to nginx", "CPU s/100k", "all paths/s", "to 10", "to nginx", "CPU s/100k",
      "MB fresh", "MB walked",
    ])
    var single = contenders.map { _ in [Wrk.Result]() }
    var walked = contenders.map { _ in [Wrk.Result]() }
    try interleaved(contenders) { place, contender in
      single[place].append(try wrk.run(load, on: contender, path: Recordings.path))
      let walk = Wrk.Load(connections: 64, script: scripts[min(place, scripts.count - 1)])
      walked[place].append(try wrk.run(walk, on: contender, path: Recordings.path))
    }

    for (place, contender) in contenders.enumerated() {
      var cells = [place < counts.count ? counts[place].formatted : contender.name]
      for (name, results) in [("one path", single), ("all paths", walked)] {
        note(.scale, name, contender.name, results[place])
        let rates = results[place].map(\.rate)
        let toTen = rates.divided(by: results[0].map(\.rate))
        let toNginx = rates.divided(by: results[counts.count].map(\.rate))
        report.note(.scale, name, "\(contender.name)/mockserver 10", "requests/s", "ratio", toTen)
        report.note(.scale, name, "\(contender.name)/nginx", "requests/s", "ratio", toNginx)
        cells += [
          rates.median.fixed(0), toTen.spread(), toNginx.spread(), results[place].map(\.processor).median.fixed(3),
        ]
      }
      let after = walked[place].last?.resident ?? 0
      report.note(.scale, "fresh", contender.name, "RSS", "bytes", [resident[place]])
      report.note(.scale, "walked", contender.name, "RSS", "bytes", [after])
      table.add(cells + [resident[place].megabytes, after.megabytes])
    }
    table.show()
  }

  /// Requests every recording once, so that work at the first request is not measured.
  private func askOnce(_ count: Int, of server: Contender) throws {
    guard let connection = Loopback(port: server.port) else { throw Failure("\(server.name) accepts no connection") }
    defer { connection.close() }
    for number in 1..<count where connection.get(Recordings.otherPath(number))?.status != 200 {
      throw Failure("\(server.name) does not answer \(Recordings.otherPath(number))")
    }
  }
}

extension Int {
  fileprivate var formatted: String { Double(self).fixed(0) }
}
