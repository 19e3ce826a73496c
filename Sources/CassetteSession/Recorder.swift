import Cassettes
import Foundation
import HTTP

/// A cassette that is recorded into, and its file.
struct Recorder: Sendable {
  let path: String
  let recording: Recording
  /// Whose exchanges it holds, when it says so.
  let origin: String?

  /// Opens a cassette for recording.
  ///
  /// - Parameters:
  ///   - path: Its file, which need not exist.
  ///   - mode: `record` or `recordMissing`.
  /// - Throws: When there is something else at the path, or a cassette that does not read.
  init(path: String, mode: Mode) throws(CassetteError) {
    self.path = path
    switch Folder.resolvedKind(of: path) {
    case .folder, .link:
      throw CassetteError(
        file: path, message: "is a folder of cassettes; to record, name the cassette that shall hold the exchanges")
    case .file:
      let cassette = try CassetteFile.read(path: path)
      origin = cassette.origin
      recording = Recording(into: cassette, mode: mode)
    case .missing:
      let file = path.split(separator: "/").last.map(String.init) ?? path
      origin = nil
      var cassette = Cassette(name: file.hasSuffix(".json") ? String(file.dropLast(5)) : file)
      cassette.file = path
      recording = Recording(into: cassette, mode: mode)
    }
  }

  /// Writes what was recorded, as a whole or not at all.
  ///
  /// - Returns: What changed, in words.
  /// - Throws: What looks like a secret, or what the system said.
  func save(_ redaction: Redaction) throws(CassetteError) -> String {
    do {
      try FileManager.default.createDirectory(atPath: Folder.parent(of: path), withIntermediateDirectories: true)
    } catch {
      throw CassetteError(file: Folder.parent(of: path), message: error.localizedDescription)
    }
    let changes = try recording.save(to: path, redaction: redaction)
    let refusals = recording.refusals
    let unfinished = recording.unfinished - refusals.count
    let left = unfinished <= 0 ? "" : ", \(unfinished) left out: no answer had come to its end"
    return "\(path): \(changes)\(left)" + refusals.map { ", not recorded: \($0)" }.joined()
  }
}

/// One exchange being recorded.
struct Take: Sendable {
  private let recording: Recording
  private let token: Recording.Token

  /// Notes that a request is sent.
  ///
  /// A session's jar puts its cookies in another order each time; kept in the order of their names, they make no change.
  init(of request: HTTPRequest, by recording: Recording) {
    var request = request
    if let cookies = request.headers["Cookie"]?.split(separator: ";").map({ $0.drop { $0 == " " } }), cookies.count > 1
    {
      request.headers.set("Cookie", cookies.sorted().joined(separator: "; "))
    }
    self.recording = recording
    token = recording.begin(request)
  }

  func finish(_ response: RecordedResponse, _ facts: RecordedFacts) {
    recording.finish(token, response, recorded: facts)
  }

  func refuse(_ reason: String) { recording.abandon(token, because: reason) }

  func finish(_ failure: RecordedFailure, _ facts: RecordedFacts) {
    recording.finish(token, failure, recorded: facts)
  }
}
