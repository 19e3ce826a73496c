extension Bench {
  /// Measures the time from exec to the first response with no, 10,000 and 100,000 recordings.
  func load() throws {
    let counts = [0, 10_000, 100_000]
    let folders = try counts.map(recordings)
    let nothing = try measureStarts(folders.map { .mockserver($0, Recordings.path) }, times: max(5, options.rounds))
    System.say("\nload: exec to first answer, \(nothing[0].milliseconds.count) starts each, in ms")
    var table = Table(["recordings", "least", "median", "least added", "median added", "MB then"])
    let (least, middle) = (nothing[0].milliseconds.min() ?? 0, nothing[0].milliseconds.median)
    for (count, result) in zip(counts, nothing) {
      let name = Double(count).fixed(0)
      let times = result.milliseconds
      report.note(.load, name, "mockserver", "exec to first answer", "ms", times)
      report.note(.load, name, "mockserver", "RSS", "bytes", result.resident)
      table.add([
        name, (times.min() ?? 0).fixed(1), times.median.fixed(1), ((times.min() ?? 0) - least).fixed(1),
        (times.median - middle).fixed(1), result.resident.median.megabytes,
      ])
    }
    table.show()
  }

  /// Measures the time from exec to the first response with the cassettes of this package, and of nginx.
  func start() throws {
    let path = Recordings.path
    let ways: [(String, Start)] = [
      ("mockserver, \(options.cassettes)", .mockserver(options.cassettes, path)),
      ("mockserver, nothing", .mockserver(try recordings(0), path)),
      ("nginx", .nginx),
    ]
    let results = try measureStarts(ways.map(\.1), times: options.rounds * 4)
    System.say("\nstart: exec to first answer, \(options.rounds * 4) starts each, in ms")
    var table = Table(["", "least", "median", "to nginx", "MB then"])
    for ((name, _), result) in zip(ways, results) {
      let ratio = result.milliseconds.divided(by: results[2].milliseconds)
      report.note(
        .start, name, name == "nginx" ? name : "mockserver", "exec to first answer", "ms", result.milliseconds)
      report.note(.start, name, "\(name)/nginx", "exec to first answer", "ratio", ratio)
      report.note(.start, name, name == "nginx" ? name : "mockserver", "RSS", "bytes", result.resident)
      table.add([
        name, (result.milliseconds.min() ?? 0).fixed(2), result.milliseconds.median.fixed(2), ratio.spread(),
        result.resident.median.megabytes,
      ])
    }
    table.show()
  }

  private enum Start {
    case mockserver(String, String)
    case nginx
  }

  private struct Starts {
    var milliseconds: [Double] = []
    var resident: [Double] = []
  }

  private func measureStarts(_ ways: [Start], times: Int) throws -> [Starts] {
    var results = ways.map { _ in Starts() }
    // The first round is not counted, because it reads programs and cassettes from the disk.
    var warm = Set<Int>()
    try interleaved(ways, rounds: times + 1) { place, way in
      let contender =
        switch way {
        case .mockserver(let folder, _): try starter.mockserver(folder, port: Loopback.freePort())
        case .nginx: try starter.nginx(answering: Recordings.body)
        }
      defer { contender.end() }
      let (time, _) = try Loopback.firstAnswer(of: contender.child, port: contender.port, path: Recordings.path)
      guard !warm.insert(place).inserted else { return }
      System.pause(0.1)
      results[place].milliseconds.append(Double(time) / 1e6)
      results[place].resident.append(contender.usage.resident)
    }
    return results
  }
}
