import CassettePlayback
import CassetteSession
import Cassettes
import Foundation

extension CassetteMode {
  /// Returns the mode of a test: the environment's, else the mode in code, else replay.
  ///
  /// On CI, recording must be enabled twice.
  package static func ofTest(
    _ code: CassetteMode?, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(CassetteError) -> CassetteMode {
    let mode: CassetteMode
    do {
      mode = try resolved(code, environment: environment)
    } catch {
      throw CassetteError(file: variable, message: "\(error)")
    }
    if mode != .replay, try NetworkDenial.isDeniedForTests(by: environment) {
      throw CassetteError(
        file: NetworkDenial.variable,
        message: "the network is denied, but the mode \(mode.rawValue) needs it",
        suggestion: "unset \(NetworkDenial.variable), or replay with \(variable)=\(CassetteMode.replay.rawValue)")
    }
    return mode
  }
}

extension CassettePlace {
  /// Returns the paths to play or record; throws an error with the searched folders if nothing is found.
  package static func paths(
    _ name: String, in folder: String?, filePath: String, mode: CassetteMode, filter: String? = nil
  ) throws(CassetteError) -> [String] {
    switch mode {
    case .replay: return [try find(name, in: folder, filePath: filePath, filter: filter)]
    // Recordings are written to the source folder, never to a copy in a resource bundle.
    case .record, .recordMissing:
      return [Folder.join(home(folder, filePath: filePath), name.hasSuffix(".json") ? name : name + ".json")]
    }
  }
}

extension Report {
  /// Ends the playback of a test: writes recordings, reports the results of its requests, and returns the message of a
  /// miss to throw.
  @discardableResult
  func end(_ player: CassettePlayer, of name: String, _ strictness: CassetteStrictness, _ ending: TestEnding) -> String?
  {
    end(player, strictness)
    let ledger = player.ledger
    let hasFailed = ending.failed || !ledger.misses.isEmpty || !ledger.problems.isEmpty
    do throws(CassetteError) {
      for line in try player.save(failed: hasFailed) where !RecordingConclusion.defer(line) {
        say("cassettes: \(line)")
      }
      for refusal in player.refusals { warn("not recorded: \(refusal)") }
    } catch {
      let reason = error.message.hasPrefix("not saved: ") ? error.message.dropFirst(11) : error.message[...]
      say("cassettes: \(error.file): not written: \(reason)")
      fail("\(error)")
    }
    // While recording, the report about played recordings does not apply.
    if !player.isRecording,
      let problem = RunReport.append(
        player.name, player.deck.table, hasFailed: hasFailed, missed: ledger.misses.map(\.request),
        approximate: ledger.approximations.map(\.request))
    {
      fail(problem)
    }
    var ending = ending
    ending.isIdle = !player.isRecording && player.deck.table.entries.isEmpty
    if !player.isRecording {
      UnplayedRecordings.note(player.deck.table, strictness, hasFailed: hasFailed, hiding: ledger.isHidden)
    }
    return settle(ledger, of: name, in: player.name, strictness, ending)
  }

  package func say(_ line: String) { FileHandle.standardError.write(Data((Printable.escaped(line) + "\n").utf8)) }
}
