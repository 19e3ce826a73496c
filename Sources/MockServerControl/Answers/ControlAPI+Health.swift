internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import CassetteSystem
internal import MockServerSockets

/// The calls that report the health of the server.
extension ControlAPI {
  /// The default time in seconds to wait; `longestWait` is the maximum.
  static let usualWait = 5
  static let longestWait = 60

  /// Reports the health of the server.
  ///
  /// With the parameter `generation`, waits until its files have been loaded that often.
  func health(_ call: ControlCall) throws(ControlRefusal) -> ControlAnswer {
    guard isAuthorized(call.request) else { return .json { $0.member("status", "ok") } }
    guard let wanted = try call.number("generation") else { return .response(health()) }
    let failures = server.loads.failures
    return pending(try seconds(call.number("seconds"))) { isOver in
      let loads = self.server.loads
      if loads.generation >= wanted { return self.health() }
      if loads.failures > failures, let problem = loads.problem {
        return ControlResponse.problem(409, "an edited file could not be loaded: \(problem)")
      }
      let words = "the files were loaded \(loads.generation) times, not \(wanted)"
      return isOver ? ControlResponse.problem(409, loads.problem.map { "\(words): \($0)" } ?? words) : nil
    }
  }

  func seconds(_ number: Int?) throws(ControlRefusal) -> Int {
    let seconds = number ?? Self.usualWait
    guard seconds <= Self.longestWait else {
      throw ControlRefusal(400, "\"seconds\" must be at most \(Self.longestWait)")
    }
    return seconds
  }

  /// Returns an answer that calls `look` repeatedly until it returns a response.
  ///
  /// No thread blocks.
  ///
  /// - `seconds`: The maximum time to wait.
  /// - `look`: A function that returns the response, or nil to wait. Its argument is true when the time is over.
  func pending(_ seconds: Int, _ look: @escaping (_ isOver: Bool) -> HTTPResponse?) -> ControlAnswer {
    if let response = look(seconds == 0) { return .response(response) }
    var end: UInt64?
    return .pending(
      ControlPending(every: 0.002) { now in
        // The server passes `.max` when it stops.
        let last = end ?? (now == .max ? now : now + UInt64(seconds) * 1_000_000_000)
        end = last
        return look(now >= last).map { .response(self.hiding($0)) } ?? .waits
      })
  }

  /// Returns an answer that is made on a background thread if it searches many requests; pass `.max` for all requests.
  func beside(_ requests: Int, _ make: @escaping @Sendable () -> HTTPResponse) -> ControlAnswer {
    guard min(requests, Int(clamping: server.deck.requestCount)) > 50 else { return .response(make()) }
    return later(make)
  }

  /// Returns an answer that is made on a background thread, because it reads files or contacts a server.
  func later(_ make: @escaping @Sendable () throws(ControlRefusal) -> HTTPResponse) -> ControlAnswer {
    let made = MadeResponse()
    server.run {
      let response: HTTPResponse
      do throws(ControlRefusal) { response = try make() } catch { response = error.response }
      made.response.withLock { $0 = response }
    }
    return .pending(
      ControlPending(every: 0.001) { _ in
        made.response.withLock { $0.take() }.map { .response(self.hiding($0)) } ?? .waits
      })
  }

  private final class MadeResponse: Sendable {
    let response = Locked<HTTPResponse?>(nil)
  }

  private func health() -> HTTPResponse {
    let (deck, table, loads) = (server.deck, server.deck.table, server.loads)
    return ControlResponse.json { json in
      json.member("status", "ok")
      json.member("recordings", table.recordingCount)
      json.member("fixtures", table.fixtureCount)
      json.member("stubs", deck.stubCount)
      json.member("requests", Int(clamping: deck.requestCount))
      json.member("misses", server.misses.total)
      json.member("approximate", server.approximations.total)
      json.member("sessions", deck.sessions)
      json.member("sessionsForgotten", deck.forgottenSessions)
      json.member("neverPlayed", table.neverPlayed.count)
      json.member("uptimeSeconds", uptime)
      json.member("generation", loads.generation)
      json.object("lastLoad") { load in
        load.member("files", loads.files)
        load.member("problem", loads.problem)
      }
    }
  }

  private var uptime: Int { (Platform.wallNanoseconds() - server.startedAt) / 1_000_000_000 }

  /// Reports the counters in the Prometheus text format 0.0.4.
  func metrics(_ call: ControlCall) -> ControlAnswer {
    let (deck, table) = (server.deck, server.deck.table)
    let counts: [(name: String, kind: String, help: String, value: Int)] = [
      ("requests_total", "counter", "Answered requests, including misses.", Int(clamping: deck.requestCount)),
      ("misses_total", "counter", "Requests without a matching recording.", server.misses.total),
      (
        "approximate_total", "counter", "Requests answered by a recording that differs from them.",
        server.approximations.total
      ),
      ("loads_total", "counter", "Successful loads of the files.", server.loads.generation),
      ("load_failures_total", "counter", "Failed loads of edited files.", server.loads.failures),
      ("sessions_forgotten_total", "counter", "Sessions dropped because of the limit.", deck.forgottenSessions),
      ("recordings", "gauge", "Served recordings.", table.recordingCount),
      ("recordings_never_played", "gauge", "Recordings not played yet.", table.neverPlayed.count),
      ("fixtures", "gauge", "Served fixture files.", table.fixtureCount),
      ("stubs", "gauge", "Stubs added through the control API.", deck.stubCount),
      ("sessions", "gauge", "Sessions that have sent a request.", deck.sessions),
      ("uptime_seconds", "gauge", "Seconds since the server started.", uptime),
    ]
    let text = counts.map { count in
      let name = "mockserver_\(count.name)"
      return "# HELP \(name) \(count.help)\n# TYPE \(name) \(count.kind)\n\(name) \(count.value)\n"
    }.joined()
    return .response(ControlResponse.bytes(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8"))
  }
}
