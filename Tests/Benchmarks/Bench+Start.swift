import Foundation

extension Bench {
  /// From exec to the first answer, with more and more to read.
  func load() throws {
    print("\nload: exec to first answer, milliseconds (least and median of \(plan.rounds))")
    var least = 0.0
    for size in [1, 10_000, 100_000] {
      let home = try cassette(size)
      let bytes = (try? FileManager.default.attributesOfItem(atPath: "\(home)/many.json")[.size] as? Int) ?? 0
      var times: [Double] = []
      for _ in 0..<plan.rounds {
        let start = ContinuousClock.now
        let contender = try mockserver(home)
        times.append(try contender.firstAnswer(since: start, path: "/users/kean"))
        contender.stop()
      }
      if size == 1 { least = times.min() ?? 0 }
      let added = (times.min() ?? 0) - least
      print(
        "\(size) recordings, \(bytes >> 20) MB: \(shown(times.min() ?? 0, 1)), \(shown(times.median, 1))"
          + (size == 1 ? "" : ": \(shown(added, 1)) more than with one"))
    }
  }

  /// The cassettes that ship against nginx's start.
  func start() throws {
    print("\nstart: exec to first answer, milliseconds, in turn (median of \(plan.rounds * 2))")
    var (ours, theirs): ([Double], [Double]) = ([], [])
    var memory = 0
    for _ in 0..<(plan.rounds * 2) {
      var start = ContinuousClock.now
      let nginx = try nginx()
      theirs.append(try nginx.firstAnswer(since: start, path: "/users/kean"))
      nginx.stop()
      start = .now
      let server = try mockserver("cassettes")
      ours.append(try server.firstAnswer(since: start, path: "/users/kean"))
      memory = server.residentKilobytes
      server.stop()
    }
    print(
      "nginx \(shown(theirs.median, 1)), ours \(shown(ours.median, 1)), ratio \(shown(ours.median / theirs.median))")
    print("memory idle, shipped cassettes: \(memory) KB")
  }

  /// Ten thousand clients that say nothing.
  func idle() throws {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    getrlimit(resource, &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(resource, &limit)
    let count = min(10_000, Int(clamping: limit.rlim_cur) - 100)
    print("\nidle: \(count) keep-alive connections, each of which has asked once")
    let server = try mockserver(cassette(1))
    defer { server.stop() }
    _ = try server.firstAnswer(since: .now, path: "/users/kean")
    let before = server.residentKilobytes
    var connections: [Connection] = []
    for _ in 0..<count {
      guard let connection = Connection(port: server.port), connection.ask("/users/kean") else { break }
      connections.append(connection)
    }
    let each = Double(server.residentKilobytes - before) * 1_024 / Double(max(1, connections.count))
    print("\(connections.count) opened, \(shown(each, 0)) bytes of memory each")
    let spent = server.processorSeconds
    sleep(5)
    print("processor time in 5 s: \(shown(server.processorSeconds - spent)) s")
    var start = ContinuousClock.now
    let answered = connections[connections.count / 2].ask("/users/kean")
    print(
      "one of them asks again: \(answered ? "answered" : "NOT answered") after \(shown((.now - start).milliseconds)) ms"
    )
    start = .now
    let welcome = Connection(port: server.port)?.ask("/users/kean") ?? false
    print("another comes: \(welcome ? "answered" : "NOT answered") after \(shown((.now - start).milliseconds)) ms")
  }
}
