import CassettePlayback
import CassetteSession
import Cassettes
import Foundation

extension CassetteMode {
  /// Returns the mode of a test: the environment's, else the code's, else replay; CI that is to record is told twice.
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
        message: "the network is denied, so that nothing can be asked in mode \(mode.rawValue)",
        suggestion: "unset \(NetworkDenial.variable), or play with \(variable)=\(CassetteMode.replay.rawValue)")
    }
    return mode
  }
}

extension CassettePlace {
  /// Returns the paths of what a test plays or records, none where it uses no cassette; throws the places looked at.
  package static func paths(
    _ name: String, in folder: String?, filePath: String, mode: CassetteMode
  ) throws(CassetteError) -> [String] {
    switch mode {
    case .live: return []
    case .replay: return [try find(name, in: folder, filePath: filePath)]
    // Beside the test file, never where a copy of it is among a bundle's resources.
    case .record, .recordMissing:
      return [Folder.join(home(folder, filePath: filePath), name.hasSuffix(".json") ? name : name + ".json")]
    }
  }
}

extension Report {
  /// Ends a test's play: writes what was recorded, says what its requests came to, and returns a miss that is to be
  /// thrown.
  @discardableResult
  func end(_ player: CassettePlayer, of name: String, _ strictness: CassetteStrictness, _ ending: TestEnding) -> String?
  {
    end(player, strictness)
    let ledger = player.ledger
    let hasFailed = ending.failed || !ledger.misses.isEmpty || !ledger.problems.isEmpty
    do throws(CassetteError) {
      for line in try player.save(failed: hasFailed) { say("cassettes: \(line)") }
    } catch {
      let reason = error.message.hasPrefix("not saved: ") ? error.message.dropFirst(11) : error.message[...]
      say("cassettes: \(error.file): not written: \(reason)")
      fail("\(error)")
    }
    // What is recorded anew says nothing of what is played.
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
