import CassetteHTTP
import CassetteSystem
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// The two kinds of event loop; most tests of a running server use both.
enum LoopKind: CaseIterable, Sendable {
  case platform, dispatch
}

/// A server with its own scratch folder, for the duration of a test.
final class Served {
  /// The lines that the server wrote to its log.
  final class Log: Sendable {
    private let bytes = Locked<[UInt8]>([])

    func append(_ lines: [UInt8]) { bytes.withLock { $0 += lines } }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Waits until the log contains a text.
    func waits(for words: String) -> Bool { eventually { self.text.contains(words) } }
  }

  /// The events of the server, without answers.
  private final class Heard: Sendable {
    let events = Locked<[MockServer.Event]>([])
  }

  let folder: String
  private let written = Log()
  private let heard = Heard()
  let server: MockServer
  let url: String
  /// Folders that are kept until the server is released.
  var companions: [ScratchFolder] = []

  /// Starts a server with these files; `configure` changes its default configuration.
  init(
    _ kind: LoopKind = .platform, _ files: [String: String] = [:],
    _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "served-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files { try Self.write(text, to: name, in: folder) }
    var configuration = MockServer.Configuration(cassettes: [folder], port: 0)
    configuration.usesDispatch = kind == .dispatch
    configuration.loops = 2
    configuration.watches = false
    // A loaded machine may delay a test for longer than the default timeouts.
    configuration.headTimeout = .seconds(3_600)
    configuration.idleTimeout = .seconds(3_600)
    let written = written
    configuration.logOutput = { written.append($0) }
    configure(&configuration)
    server = try MockServer(configuration)
    let heard = heard
    // Answers are not observed: a server without observers of answers uses its fast path.
    server.feed.add(EventObserver([]) { event in heard.events.withLock { $0.append(event) } })
    url = try server.start()
  }

  /// Starts a server with one cassette of these interactions.
  convenience init(
    _ kind: LoopKind = .platform, _ interactions: [String], origin: String? = nil,
    _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws {
    try self.init(kind, ["test.json": Self.cassette(interactions, origin: origin)], configure)
  }

  /// The log, complete up to the last answer.
  var log: Log {
    server.deliverEvents()
    return written
  }

  /// Returns the number of events of a kind whose description contains a text.
  func count(of kind: String, _ words: String = "") -> Int {
    server.deliverEvents()
    // Foundation does not find an empty string in a string.
    func tells(_ event: MockServerEvent) -> Bool {
      event.kind.name == kind && (words.isEmpty || event.description.contains(words))
    }
    return heard.events.withLock { $0.count(where: tells) }
  }

  /// Waits for an event of a kind whose description contains a text; watching files takes a moment.
  func tells(of kind: String, _ words: String = "") -> Bool { eventually { self.count(of: kind, words) > 0 } }

  deinit {
    server.stop(within: .zero)
    try? FileManager.default.removeItem(atPath: folder)
  }

  func client(receiveBuffer: Int32? = nil) throws -> WireClient { try WireClient(url, receiveBuffer: receiveBuffer) }

  /// The port of the inspector; nil if the server has no inspector.
  var inspectorPort: Int? { server.running.withLock { $0?.state.inspectorPort } }

  /// The URL of the inspector's port.
  var inspector: String {
    get throws {
      let port = try #require(inspectorPort)
      return url.replacing(#/:\d+$/#, with: ":\(port)")
    }
  }

  /// Sends one request to the inspector's port.
  func inspect(_ line: String, _ headers: HTTPHeaders = [:], body: String = "") throws -> WireClient.Answer {
    try WireClient(inspector).ask(line, headers, body: body)
  }

  /// Sends one request on a new connection.
  func ask(_ line: String, _ headers: HTTPHeaders = [:], body: String = "") throws -> WireClient.Answer {
    try client().ask(line, headers, body: body)
  }

  /// Returns the JSON answer of a route of `/__mock/`.
  func admin(_ name: String) throws -> [String: Any] {
    let answer = try ask("GET /__mock/\(name)")
    #expect(answer.status == 200)
    return try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
  }

  func write(_ text: String, to name: String) throws { try Self.write(text, to: name, in: folder) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }

  private static func write(_ text: String, to name: String, in folder: String) throws {
    let file = URL(filePath: "\(folder)/\(name)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  static func cassette(_ interactions: [String], origin: String? = nil) -> String {
    let home = origin.map { "\"origin\":\"\($0)\"," } ?? ""
    return "{\"cassette\":1,\(home)\"interactions\":[\n\(interactions.joined(separator: ",\n"))\n]}"
  }

  /// A recording whose response is a text; `more` is appended to the interaction.
  static func recording(
    _ line: String, _ text: String, status: Int = 200, headers: [(String, String)] = [], more: String = ""
  ) -> String {
    let words = line.split(separator: " ")
    let fields = headers.map { "[\(quoted($0.0)),\(quoted($0.1))]" }.joined(separator: ",")
    let body = text.isEmpty ? "" : ",\"body\":{\"text\":\(quoted(text))}"
    return "{\"request\":{\"method\":\"\(words[0])\",\"url\":\(quoted(String(words[1])))},"
      + "\"response\":{\"status\":\(status),\"headers\":[\(fields)]\(body)}\(more)}"
  }

  private static func quoted(_ text: String) -> String {
    let data = try? JSONEncoder().encode(text)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
  }
}

/// Waits until a condition is true, for as long as a slow machine may need.
func eventually(_ isSo: () throws -> Bool) rethrows -> Bool {
  let deadline = Date(timeIntervalSinceNow: 60)
  while Date() < deadline {
    if try isSo() { return true }
    // Leaves the processor to the threads that the condition depends on.
    _ = poll(nil, 0, 2)
  }
  return false
}
