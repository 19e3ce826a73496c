/// One run of wrk against a contender.
struct Wrk {
  let program: String
  let folder: String
  let seconds: Int

  /// The load of a run.
  struct Load {
    var connections: Int
    /// True if each request uses a new connection.
    var closes = false
    /// A Lua script that chooses the paths, or nil for one path.
    var script: String?
  }

  /// The result of one run.
  struct Result {
    var rate = 0.0
    /// The server's processor time in seconds per 100,000 requests.
    var processor = 0.0
    /// The 99th percentile of the latency in seconds.
    var latency = 0.0
    /// The resident memory in bytes after the run.
    var resident = 0.0
    /// The number of requests without a 200 response.
    ///
    /// Any such request makes the run invalid.
    var faults = 0
  }

  func run(_ load: Load, on contender: Contender, path: String, for seconds: Int? = nil) throws -> Result {
    let threads = min(load.connections, System.processors())
    var arguments = ["-t", "\(threads)", "-c", "\(load.connections)", "-d", "\(seconds ?? self.seconds)s", "--latency"]
    if load.closes { arguments += ["-H", "Connection: close"] }
    if let script = load.script { arguments += ["-s", script] }
    arguments.append("http://127.0.0.1:\(contender.port)\(path)")

    let before = contender.usage
    let output = try Child(program, arguments, errors: "\(folder)/wrk.err").wholeOutput()
    let after = contender.usage

    var result = Result(resident: after.resident)
    var requests = 0.0
    for line in output.split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "," })
      if line.hasPrefix("Requests/sec:"), let rate = words.last.flatMap({ Double($0) }) { result.rate = rate }
      if line.contains(" requests in "), let count = words.first.flatMap({ Double($0) }) { requests = count }
      if words.first == "99%", words.count == 2 { result.latency = Self.seconds(words[1]) }
      if line.contains("Socket errors:") || line.contains("Non-2xx") {
        result.faults += words.compactMap { Int($0) }.reduce(0, +)
      }
    }
    guard requests > 0 else { throw Failure("\(contender.name) answered nothing to wrk:\n\(output)") }
    result.processor = (after.processor - before.processor) / requests * 100_000
    return result
  }

  /// Parses a time such as `1.23ms` to seconds.
  private static func seconds(_ text: Substring) -> Double {
    for (unit, factor) in [("us", 1e-6), ("ms", 1e-3), ("s", 1), ("m", 60)] where text.hasSuffix(unit) {
      if let value = Double(text.dropLast(unit.count)) { return value * factor }
    }
    return 0
  }
}
