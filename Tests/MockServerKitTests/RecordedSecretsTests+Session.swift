import CCassetteZlib
import CassetteFormats
import CassetteHTTP
import CassetteJSON
import CassetteSystem
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// A recording server, and everything that it displays and writes.
extension RecordedSecretsTests {
  /// A recorder, its origin, and the secrets that were sent so far.
  final class Session {
    let origin: LoopbackOrigin
    let served: Served
    let isProxy: Bool
    private let steps: Mutexed
    private var random: Seeded
    var secrets: [String] = []
    var cassette: String { "\(served.folder)/a.json" }

    /// The steps that the origin performs for the next request.
    final class Mutexed: Sendable {
      private let steps = Locked<[LoopbackOrigin.Step]>([])
      func set(_ steps: [LoopbackOrigin.Step]) { self.steps.withLock { $0 = steps } }
      func get() -> [LoopbackOrigin.Step] { steps.withLock { $0 } }
    }

    init(isProxy: Bool, seed: UInt64) throws {
      let steps = Mutexed()
      self.steps = steps
      self.isProxy = isProxy
      random = Seeded(seed)
      let origin = try LoopbackOrigin { _ in steps.get() }
      self.origin = origin
      let upstream = isProxy ? nil : try UpstreamOrigin(origin.url)
      let named = try UpstreamOrigin(origin.url)
      served = try Served { configuration in
        var settings = RecordingSettings(upstream: upstream, cassette: "\(configuration.cassettes[0])/a.json")
        settings.named = [named]
        if isProxy {
          var proxy = ProxySettings()
          proxy.origins = [named]
          configuration.proxy = proxy
        }
        configuration.recording = settings
        configuration.log = .requests
      }
    }

    func secret() -> String {
      let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
      func some(_ count: Int) -> String {
        String((0..<count).compactMap { _ in letters.randomElement(using: &random) })
      }
      let secret = "\(some(9))/\(some(4))+\(some(5))=\(some(2))"
      secrets.append(secret)
      return secret
    }

    /// Sends an exchange through the recorder, and reads its whole answer.
    func play(_ exchange: Exchange, naming secret: String?) throws {
      steps.set(exchange.answer)
      let words = exchange.line.split(separator: " ")
      let target = isProxy ? origin.url + words[1] : String(words[1])
      var headers = exchange.headers
      headers.append("Connection", "close")
      if let secret { headers.append("Authorization", "Bearer \(secret)") }
      let client = try served.client()
      client.request("\(words[0]) \(target)", headers, body: exchange.body)
      let (text, end) = client.readToEnd()
      #expect(end == .ended)
      #expect(text.hasPrefix("HTTP/1.1 ") && !text.hasPrefix("HTTP/1.1 5"), "\(text.prefix(300))")
    }

    /// Returns the contents of all files in the folder.
    func files() -> [String: Data] {
      var files: [String: Data] = [:]
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: served.folder)) ?? [] {
        files[name] = try? Data(contentsOf: URL(filePath: "\(served.folder)/\(name)"), options: [])
      }
      return files
    }
  }

  /// Returns the log and the journal, which a person may see during the recording.
  func shown(_ session: Session) throws -> [String: Data] {
    var shown = ["the log": Data(session.served.log.text.utf8)]
    for name in ["journal", "misses", "interactions"] {
      shown["/__mock/\(name)"] = Data(try session.served.ask("GET /__mock/\(name)").body)
    }
    return shown
  }

  /// Stops the recording, and returns the files it wrote and their exports to other formats.
  func written(_ session: Session) throws -> [String: Data] {
    session.served.server.stop()
    _ = try session.served.server.saveRecording()
    var written = session.files()
    written["the log at the end"] = Data(session.served.log.text.utf8)
    let cassette = try CassetteFile.read(path: session.cassette)
    for interaction in cassette.interactions {
      if let body = try interaction.requestBody?.bytes() {
        let decoder = body.starts(with: [0x1f, 0x8b]) ? ContentDecoder([("Content-Encoding", "gzip")]) : nil
        written["\(interaction.id) sent"] = Data(try decoder?.decode(body, limit: 1 << 20) ?? body)
      }
      if let body = try interaction.responseBody?.bytes() { written["\(interaction.id) received"] = Data(body) }
    }
    written["HAR"] = Data(try HARWriter.bytes(of: cassette, version: "1"))
    written["WireMock"] = Data(try WireMockWriter.export(cassette).bytes)
    written["curl"] = Data(try CurlWriter.bytes(of: cassette))
    return written
  }
}
