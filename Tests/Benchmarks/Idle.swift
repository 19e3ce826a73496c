extension Bench {
  /// Measures memory, processor time and latency with many idle connections.
  func idle() throws {
    let room = System.raiseDescriptorLimit() - 200
    let count = min(options.connections, room)
    if count < options.connections { System.say("note: the system allows \(room) descriptors; ulimit -n raises it") }
    System.say(
      "\nidle: \(Double(count).fixed(0)) connections after one request each, then \(options.seconds) s of silence")
    var table = Table([
      "", "MB before", "MB after", "bytes each", "CPU ms", "repeated: median ms", "most", "new one: median ms",
      "most",
    ])
    for name in ["mockserver", "nginx"] {
      let contender =
        name == "nginx" ? try starter.nginx(answering: Recordings.body) : try starter.mockserver(recordings(1))
      defer { contender.end() }
      _ = try contender.body(of: Recordings.path)
      let result = try idle(contender, count)
      let each = (result.after - result.before) / Double(count)
      report.note(.idle, "\(count)", name, "RSS for each connection", "bytes", [each])
      report.note(.idle, "\(count)", name, "CPU in \(options.seconds) s", "s", [result.processor])
      report.note(.idle, "\(count)", name, "latency of an idle connection", "s", result.again)
      report.note(.idle, "\(count)", name, "latency of a new connection", "s", result.fresh)
      report.note(.idle, "\(count)", name, "lost connections", "connections", [Double(result.lost)])
      table.add([
        name, result.before.megabytes, result.after.megabytes, each.fixed(0), (result.processor * 1e3).fixed(2),
        (result.again.median * 1e3).fixed(3), ((result.again.max() ?? 0) * 1e3).fixed(3),
        result.fresh.isEmpty ? "no answer" : (result.fresh.median * 1e3).fixed(3),
        ((result.fresh.max() ?? 0) * 1e3).fixed(3),
      ])
      if result.lost > 0 {
        System.say("  \(name) closed \(result.lost) of the idle connections; RFC 9112 §9.5 allows it, to make room")
      }
      if result.fresh.isEmpty {
        System.say("  \(name) answered no new connection within 2 s with \(count) idle ones")
      }
    }
    table.show()
  }

  private struct Idleness {
    var before = 0.0
    var after = 0.0
    var processor = 0.0
    /// The seconds of a repeated request on an idle connection.
    var again: [Double] = []
    /// The seconds of a new connection and its request.
    var fresh: [Double] = []
    var lost = 0
  }

  private func idle(_ contender: Contender, _ count: Int) throws -> Idleness {
    var result = Idleness()
    System.pause(0.3)
    result.before = contender.usage.resident
    var connections: [Loopback] = []
    defer { for connection in connections { connection.close() } }
    for number in 0..<count {
      guard let connection = Loopback(port: contender.port) else {
        throw Failure("\(contender.name) accepts no connection with \(number) idle ones")
      }
      connections.append(connection)
      guard connection.get(Recordings.path)?.status == 200 else {
        throw Failure("\(contender.name) does not answer a connection with \(number) idle ones")
      }
    }
    System.pause(0.5)
    result.after = contender.usage.resident
    let processor = ProcessTree.finelyMeasuredProcessor(of: contender.child.id)
    System.pause(Double(options.seconds))
    result.processor = ProcessTree.finelyMeasuredProcessor(of: contender.child.id) - processor

    func timed(_ work: () -> Int?) -> Double? {
      let start = System.now()
      return work() == 200 ? System.seconds(since: start) : nil
    }
    // The connections are spread over all event loops or workers.
    for connection in stride(from: 0, to: count, by: max(1, count / 200)).map({ connections[$0] }) {
      if let time = timed({ connection.get(Recordings.path)?.status }) { result.again.append(time) }
    }
    for _ in 0..<20 {
      let time = timed {
        guard let connection = Loopback(port: contender.port, patience: 2) else { return nil }
        defer { connection.close() }
        return connection.get(Recordings.path)?.status
      }
      guard let time else { break }
      result.fresh.append(time)
    }
    result.lost = connections.filter { $0.get(Recordings.path)?.status != 200 }.count
    return result
  }
}
