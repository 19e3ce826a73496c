import CassetteHTTP
import CassetteSystem
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerControl
@testable import MockServerKit

/// Both kinds of event loop: every test of a running server is one of both.
enum LoopKind: CaseIterable, Sendable {
  case platform, dispatch
}

/// A server with a folder of its own, for the length of a test.
final class Served {
  /// What the server wrote to its log.
  final class Log: Sendable {
    private let bytes = Locked<[UInt8]>([])

    func append(_ lines: [UInt8]) { bytes.withLock { $0 += lines } }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Waits until a line says something.
    func waits(for words: String) -> Bool { eventually { self.text.contains(words) } }
  }

  /// What happened beside answers.
  private final class Heard: Sendable {
    let events = Locked<[MockServer.Event]>([])
  }

  let folder: String
  private let written = Log()
  private let heard = Heard()
  let server: MockServer
  let url: String
  /// Folders that live as long as the server does.
  var companions: [ScratchFolder] = []

  /// Starts a server of these files; `configure` says what is other than usual.
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
    // A machine that others use may leave a test alone for longer than a client is given.
    configuration.headTimeout = .seconds(3_600)
    configuration.idleTimeout = .seconds(3_600)
    let written = written
    configuration.logOutput = { written.append($0) }
    configure(&configuration)
    server = try MockServer(configuration)
    let heard = heard
    // Of answers nothing is wanted: a server that nobody listens to keeps its own way.
    server.feed.add(EventObserver([]) { event in heard.events.withLock { $0.append(event) } })
    url = try server.start()
  }

  /// A server of one cassette with these interactions.
  convenience init(
    _ kind: LoopKind = .platform, _ interactions: [String], origin: String? = nil,
    _ configure: (inout MockServer.Configuration) -> Void = { _ in }
  ) throws {
    try self.init(kind, ["test.json": Self.cassette(interactions, origin: origin)], configure)
  }

  /// The log, with the line of every answer that was sent.
  var log: Log {
    server.deliverEvents()
    return written
  }

  /// How many events of a kind have told of something so far.
  func count(of kind: String, _ words: String = "") -> Int {
    server.deliverEvents()
    // Foundation finds an empty text nowhere.
    func tells(_ event: MockServerEvent) -> Bool {
      event.kind.name == kind && (words.isEmpty || event.description.contains(words))
    }
    return heard.events.withLock { $0.count(where: tells) }
  }

  /// Waits until an event of a kind tells of something; watching files takes a moment.
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

  /// One request on a connection of its own.
  func ask(_ line: String, _ headers: HTTPHeaders = [:], body: String = "") throws -> WireClient.Answer {
    try client().ask(line, headers, body: body)
  }

  /// What `/__mock/` says about something.
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

  /// A recording of `GET /a` with a text for an answer; what is given as `more` follows the response.
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

/// Waits for something that happens by itself, for as long as a slow machine may need.
func eventually(_ isSo: () throws -> Bool) rethrows -> Bool {
  let deadline = Date(timeIntervalSinceNow: 60)
  while Date() < deadline {
    if try isSo() { return true }
    // What is waited for may need the processor more than this loop does.
    _ = poll(nil, 0, 2)
  }
  return false
}
