internal import CassetteSecrets
import CassetteSession
internal import CassetteTesting
import Cassettes
import Foundation
import MockServerKit
internal import MockServerUpstream

/// The settings of a test's mock server that records.
struct ServerRecording: Sendable {
  let settings: RecordingSettings
  /// Creates the settings; nil if the mode plays recordings, or no upstream is given.
  init?(
    _ names: [String], in folder: String?, upstream: String?, mode: CassetteMode?, redacting: CassetteRedaction,
    filePath: String
  ) throws(CassetteError) {
    let mode = try CassetteMode.ofTest(mode)
    guard let upstream, mode != .replay else { return nil }
    guard let name = names.first, names.count == 1 else {
      throw CassetteError(
        file: filePath, message: "a mock server records into a single cassette, but \(names.count) are named",
        suggestion: "name one cassette: withMockServer(cassettes: \"api\", upstream: \"\(upstream)\")")
    }
    let path = try CassettePlace.paths(name, in: folder, filePath: filePath, mode: mode)[0]
    if CassettePlace.isProtected(path) { return nil }
    do {
      try FileManager.default.createDirectory(atPath: Folder.parent(of: path), withIntermediateDirectories: true)
      let origin = try UpstreamOrigin(upstream)
      var settings = RecordingSettings(upstream: origin, cassette: path)
      settings.mode = mode == .recordMissing ? .recordMissing : .record
      // The recorder redacts on its own queue, where a failed expectation would belong to no test.
      let context = TaskContext()
      settings.redaction = redacting.calling { make in context.run(make) }
      settings.renewsDates = CassetteMode.renewsDates(ProcessInfo.processInfo.environment)
      try settings.trustSystem()
      self.settings = settings
    } catch {
      throw CassetteError(file: path, message: "cannot be recorded: \(error)")
    }
    NetworkDenial.allow(URL(string: upstream))
  }

  /// Saves the recording and returns a description of the changes.
  ///
  /// The recording is discarded if the test has failed and a recording in the mode `record` would replace existing
  /// ones.
  func end(_ server: MockServer, failed: Bool) throws(CassetteError) -> String? {
    let path = settings.cassette
    if failed, settings.mode == .record, Folder.resolvedKind(of: path) == .file {
      server.discardRecording()
      return "\(path): not written: the test failed, and the existing recordings are kept"
    }
    guard let (changes, unfinished) = try server.saveRecording() else { return nil }
    let left = unfinished == 0 ? "" : ", \(unfinished) left out: the response was not complete"
    return "\(path): \(changes)\(left)"
  }
}

/// A queue in which mock servers that record into the same cassette wait for each other.
actor RecordingTurns {
  static let shared = RecordingTurns()

  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]

  /// Waits until no other server records into the file.
  func begin(_ path: String) async {
    guard waiting[path] != nil else {
      waiting[path] = []
      return
    }
    await withCheckedContinuation { waiting[path]?.append($0) }
  }

  /// Lets the next server record into the file.
  func end(_ path: String) {
    guard var others = waiting[path], !others.isEmpty else {
      waiting[path] = nil
      return
    }
    let next = others.removeFirst()
    waiting[path] = others
    next.resume()
  }
}
