extension Bench {
  /// Requests a second when there is much to choose from: one path, and all paths at random.
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
    let scripts = try counts.map { try Recordings.walk($0, in: folder) }

    System.say("\nscale: 64 connections, runs of \(options.seconds) s; medians, ratios to 10 recordings and to nginx")
    var table = Table([
      "recordings", "one path/s", "to 10", "to nginx", "CPU s/100k", "all paths/s", "to 10", "to nginx", "CPU s/100k",
      "MB fresh", "MB walked",
    ])
    var single = contenders.map { _ in [Wrk.Result]() }
    var walked = contenders.map { _ in [Wrk.Result]() }
    try interleaved(contenders) { place, contender in
      // The first walk prepares the answers, as the first hour of use would.
      if walked[place].isEmpty { _ = try walk(place, contender, for: max(3, options.seconds / 2)) }
      single[place].append(try wrk.run(load, on: contender, path: Recordings.path))
      walked[place].append(try walk(place, contender))
    }
    func walk(_ place: Int, _ contender: Contender, for seconds: Int? = nil) throws -> Wrk.Result {
      let script = scripts[min(place, scripts.count - 1)]
      return try wrk.run(
        Wrk.Load(connections: 64, script: script), on: contender, path: Recordings.path, for: seconds)
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
}

extension Int {
  fileprivate var formatted: String { Double(self).fixed(0) }
}
