import Foundation

/// Starts contenders and asks wrk about them.
struct Bench {
  /// What a run of wrk came to.
  struct Run {
    let perSecond: Double
    /// Seconds of processor time for 100,000 requests.
    let processor: Double
  }

  let plan: Plan
  let folder: URL

  /// 1 KB of JSON, the same for all.
  static let body = #"{"login":"kean","text":"\#(String(repeating: "a", count: 990))"}"#

  /// A port nobody uses now.
  func freePort() -> Int { Int.random(in: 20_000..<30_000) }

  /// This project's server over a folder of cassettes; the journal is on, the log off.
  func mockserver(_ cassettes: String) throws -> Contender {
    let port = freePort()
    return try Contender(
      name: "mockserver", port: port, program: plan.server,
      arguments: ["--cassettes", cassettes, "--port", "\(port)", "--log", "none", "--no-watch"])
  }

  /// nginx that returns the body.
  func nginx() throws -> Contender {
    let port = freePort()
    let home = folder.appending(path: "nginx-\(port)")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    let configuration = """
      worker_processes \(ProcessInfo.processInfo.activeProcessorCount); daemon off; pid \(home.path)/pid;
      error_log /dev/null; worker_rlimit_nofile 16384;
      events { worker_connections 12000; }
      http { access_log off; keepalive_requests 1000000000; client_body_temp_path \(home.path)/body;
        proxy_temp_path \(home.path)/proxy; fastcgi_temp_path \(home.path)/fastcgi; uwsgi_temp_path \(home.path)/uwsgi;
        scgi_temp_path \(home.path)/scgi;
        server { listen 127.0.0.1:\(port) backlog=4096; default_type application/json;
          location / { return 200 '\(Self.body)'; } } }
      """
    let file = home.appending(path: "nginx.conf")
    try configuration.write(to: file, atomically: true, encoding: .utf8)
    return try Contender(
      name: "nginx", port: port, program: plan.nginx, arguments: ["-c", file.path, "-e", "/dev/null"])
  }

  /// Loads a contender with wrk.
  func load(
    _ contender: Contender, connections: Int, closes: Bool = false, path: String = "/users/kean", script: String? = nil
  ) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: plan.wrk)
    var arguments = ["-t\(min(2, connections))", "-c\(connections)", "-d\(plan.seconds)s"]
    if closes { arguments += ["-H", "Connection: close"] }
    if let script { arguments += ["-s", script] }
    process.arguments = arguments + [contender.url + path]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    let before = contender.processorSeconds
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let spent = contender.processorSeconds - before
    let lines = text.split(separator: "\n")
    guard
      let total = lines.first(where: { $0.contains("requests in") }).flatMap({ Double($0.split(separator: " ")[0]) }),
      let rate = lines.first(where: { $0.hasPrefix("Requests/sec:") }).flatMap({ Double($0.split(separator: " ")[1]) })
    else { throw Plan.Failure(description: "wrk said: \(text)", code: 1) }
    if text.contains("Non-2xx") {
      throw Plan.Failure(description: "\(contender.name) was asked in vain: \(text)", code: 1)
    }
    return Run(perSecond: rate, processor: spent / max(1, total) * 100_000)
  }

  /// A cassette of so many recordings, about 2 KB each in the file; `/users/kean` is the first.
  func cassette(_ count: Int) throws -> String {
    let home = folder.appending(path: "cassettes-\(count)")
    let file = home.appending(path: "many.json")
    if FileManager.default.fileExists(atPath: file.path) { return home.path }
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    var text = "{\n  \"cassette\": 1,\n  \"origin\": \"https://api.example.com\",\n  \"interactions\": [\n"
    text.reserveCapacity(count * 2_200)
    for number in 0..<count {
      let path = number == 0 ? "/users/kean" : "/users/user-\(number)"
      text += """
            {
              "id": "get-\(number)",
              "request": {
                "method": "GET",
                "url": "\(path)"
              },
              "response": {
                "status": 200,
                "headers": [
                  ["Content-Type", "application/json; charset=utf-8"]
                ],
                "body": {
                  "json": \(number == 0 ? Self.body : Self.prettyBody(number))
                }
              }
            }\(number == count - 1 ? "" : ",")\n
        """
    }
    text += "  ]\n}\n"
    try text.write(to: file, atomically: false, encoding: .utf8)
    return home.path
  }

  private static func prettyBody(_ number: Int) -> String {
    let members = (0..<32).map { "            \"member_\($0)\": \"value \(number) of \($0), a little text\"" }
    return "{\n\(members.joined(separator: ",\n"))\n          }"
  }
}

/// A figure with as many digits as it deserves.
func shown(_ figure: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", figure) }
