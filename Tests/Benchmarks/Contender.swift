/// A running server under measurement.
final class Contender {
  let name: String
  let port: Int
  let child: Child
  /// The path of the server's log file.
  var log: String?

  init(name: String, port: Int, child: Child) {
    self.name = name
    self.port = port
    self.child = child
  }

  /// Truncates the log, to which the server continues to append.
  func emptyLog() throws {
    if let log { try System.write("", to: log) }
  }

  var usage: Usage { ProcessTree.usage(of: child.id) }

  /// Sends one request, and throws unless its status is 200.
  func body(of path: String) throws -> [UInt8] {
    let (_, answer) = try Loopback.firstAnswer(of: child, port: port, path: path)
    guard answer.status == 200 else { throw Failure("\(name) answered \(path) with \(answer.status)") }
    return answer.body
  }

  func end() { child.end() }

  /// Kills the server, because its remaining output is not read.
  func abandon() { child.endAtOnce() }
}

/// Starts the contenders, each configured for speed.
struct Starter {
  let mockserver: String
  let nginx: String
  let folder: String
  /// Options of every mockserver.
  var extra: [String] = []

  /// Starts the command with a folder of cassettes: journal on, log off, files not watched.
  func mockserver(_ cassettes: String, name: String = "mockserver", port: Int = 0) throws -> Contender {
    try mockserver(cassettes, ["--log", "none", "--no-watch"], name: name, port: port)
  }

  /// Starts the command with an event loop on Dispatch sources.
  func dispatchMockserver(_ cassettes: String) throws -> Contender {
    try mockserver(cassettes, ["--log", "none", "--no-watch", "--loop", "dispatch"], name: "mockserver, dispatch")
  }

  /// Starts the command with default options and its log in a file.
  func loggingMockserver(_ cassettes: String) throws -> Contender {
    let log = "\(folder)/mockserver.log"
    let contender = try mockserver(cassettes, [], name: "mockserver, log", errors: log)
    contender.log = log
    return contender
  }

  private func mockserver(
    _ cassettes: String, _ options: [String], name: String, port: Int = 0, errors: String? = nil
  ) throws -> Contender {
    let arguments = ["serve", "--cassettes", cassettes, "--port", "\(port)"] + options + extra
    let child = try Child(mockserver, arguments, errors: errors ?? "\(folder)/mockserver.err")
    if port != 0 { return Contender(name: name, port: port, child: child) }
    return Contender(name: name, port: try Self.port(of: child), child: child)
  }

  /// Starts the command as a recorder of one origin.
  func recorder(of port: Int, into cassette: String) throws -> Contender {
    let arguments = [
      "record", "--upstream", "http://127.0.0.1:\(port)", "--cassette", cassette, "--port", "0",
    ]
    let child = try Child(mockserver, arguments, errors: "\(folder)/mockserver.err")
    return Contender(name: "mockserver record", port: try Self.port(of: child), child: child)
  }

  private static func port(of child: Child) throws -> Int {
    let line = try child.firstLine(within: 60)
    guard let address = line.split(separator: " ").first(where: { $0.hasPrefix("http://") }),
      let port = address.split(separator: ":").last.flatMap({ Int($0) })
    else { throw Failure("mockserver did not say where it listens, but: \(line)") }
    return port
  }

  /// Starts nginx, which answers every request with a constant body.
  func nginx(answering body: String) throws -> Contender {
    try nginx("location / { return 200 '\(body)'; }")
  }

  /// Starts nginx with a constant body and its default access log in a file.
  func loggingNginx(answering body: String) throws -> Contender {
    let log = "\(folder)/access.log"
    let contender = try nginx(
      "access_log \(log); location / { return 200 '\(body)'; }", name: "nginx, access_log")
    contender.log = log
    return contender
  }

  /// Starts nginx as a reverse proxy that keeps its connections to the origin, or by default does not.
  func nginx(passingTo origin: Int, keepsConnections: Bool) throws -> Contender {
    guard keepsConnections else {
      return try nginx("location / { proxy_pass http://127.0.0.1:\(origin); }", name: "nginx, default")
    }
    return try nginx(
      """
      location / {
          proxy_pass http://origin;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
        }
      """, besides: "upstream origin { server 127.0.0.1:\(origin); keepalive 256; keepalive_requests 1000000000; }")
  }

  private func nginx(_ location: String, besides: String = "", name: String = "nginx") throws -> Contender {
    let port = try Loopback.freePort()
    let file = "\(folder)/nginx-\(port).conf"
    try System.write(configuration(port, location, besides), to: file)
    let arguments = ["-p", folder, "-c", file, "-e", "\(folder)/nginx.log"]
    let child = try Child(nginx, arguments, errors: "\(folder)/nginx.err")
    return Contender(name: name, port: port, child: child)
  }

  private func configuration(_ port: Int, _ location: String, _ besides: String) -> String {
    """
    daemon off;
    master_process on;
    \(System.isRoot ? rootUser : "")
    worker_processes \(System.processors());
    worker_rlimit_nofile \(System.raiseDescriptorLimit());
    pid \(folder)/nginx-\(port).pid;
    error_log \(folder)/nginx.log crit;
    events { worker_connections 16384; }
    http {
      access_log off;
      keepalive_requests 1000000000;
      keepalive_timeout 3600s;
      tcp_nodelay on;
      client_body_temp_path \(folder)/nginx-body;
      proxy_temp_path \(folder)/nginx-proxy;
      fastcgi_temp_path \(folder)/nginx-fastcgi;
      uwsgi_temp_path \(folder)/nginx-uwsgi;
      scgi_temp_path \(folder)/nginx-scgi;
      default_type "application/json; charset=utf-8";
      \(besides)
      server {
        listen 127.0.0.1:\(port) backlog=4096;
        \(location)
      }
    }

    """
  }

  private var rootUser: String {
    #if canImport(Darwin)
      "user root wheel;"
    #else
      "user root root;"
    #endif
  }
}
