import Foundation

extension Bench {
  /// Requests a second and processor time against nginx's, the contenders in turn within each round.
  func throughput() throws {
    print(
      "\nthroughput: 1 KB of JSON, medians of \(plan.rounds) rounds of \(plan.seconds) s, nginx `return 200` beside it")
    let (ours, theirs) = (try mockserver(cassette(1)), try nginx())
    defer {
      ours.stop()
      theirs.stop()
    }
    for contender in [ours, theirs] { _ = try contender.firstAnswer(since: .now, path: "/users/kean") }
    let idle = ours.residentKilobytes
    print("connections   nginx/s   ratio   CPU s/100k: nginx   ours   ratio")
    for (connections, closes) in [(1, false), (16, false), (64, false), (256, false), (64, true)] {
      var pairs: [(ours: Run, theirs: Run)] = []
      for _ in 0..<plan.rounds {
        let one = try load(theirs, connections: connections, closes: closes)
        pairs.append((try load(ours, connections: connections, closes: closes), one))
      }
      let rate = pairs.map { $0.ours.perSecond / $0.theirs.perSecond }.median
      let cost = pairs.map { $0.ours.processor / $0.theirs.processor }.median
      let name = "\(connections)\(closes ? " close" : "")".padding(toLength: 11, withPad: " ", startingAt: 0)
      print(
        "\(name)  \(shown(pairs.map(\.theirs.perSecond).median, 0))    \(shown(rate))         "
          + "\(shown(pairs.map(\.theirs.processor).median))   \(shown(pairs.map(\.ours.processor).median))   \(shown(cost))"
      )
    }
    print(
      "memory: \(idle) KB idle, \(ours.residentKilobytes) KB loaded (nginx's largest: \(theirs.residentKilobytes) KB)")
  }

  /// The same with few and many recordings: one path, and paths at random.
  func scale() throws {
    print("\nscale: 64 connections, requests a second against those with 10 recordings")
    let sizes = [10, 10_000, 100_000]
    let contenders = try sizes.map { try mockserver(cassette($0)) }
    defer { for contender in contenders { contender.stop() } }
    for contender in contenders { _ = try contender.firstAnswer(since: .now, path: "/users/kean") }
    let scripts = try sizes.map { size in
      let file = folder.appending(path: "random-\(size).lua")
      let source = """
        math.randomseed(os.time())
        request = function() return wrk.format("GET", "/users/user-" .. math.random(1, \(size - 1))) end
        """
      try source.write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
    var one = sizes.map { _ in [Double]() }
    var random = sizes.map { _ in [Double]() }
    for _ in 0..<plan.rounds {
      for index in sizes.indices {
        one[index].append(try load(contenders[index], connections: 64).perSecond)
        random[index].append(try load(contenders[index], connections: 64, script: scripts[index]).perSecond)
      }
    }
    for index in sizes.indices {
      let single = zip(one[index], one[0]).map { $0 / $1 }.median
      let many = zip(random[index], random[0]).map { $0 / $1 }.median
      print("\(sizes[index]) recordings: one path \(shown(single)), random paths \(shown(many))")
    }
  }
}
