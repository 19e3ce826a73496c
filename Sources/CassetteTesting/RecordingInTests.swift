import CassetteSession
import Cassettes
import Foundation

extension Mode {
  /// The mode of a test: what the environment says, else what the code says, else replay.
  ///
  /// - Parameter code: What the code says.
  /// - Returns: The mode.
  /// - Throws: ``CassetteError`` when the environment names none, or CI is to record and was told once only.
  static func ofTest(_ code: Mode?) throws(CassetteError) -> Mode {
    do {
      return try resolved(code, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw CassetteError(file: variable, message: "\(error)")
    }
  }
}

extension CassettePlace {
  /// The cassettes a test plays or records.
  ///
  /// - Parameters:
  ///   - name: Without `.json`; it may lead into folders.
  ///   - folder: Where it is looked for, relative to the test file; nil for `Cassettes`.
  ///   - filePath: The test file.
  ///   - mode: A cassette that is to be recorded need not be there.
  /// - Returns: Paths; none where no cassette is used.
  /// - Throws: ``CassetteError`` with the places that were looked at.
  static func paths(
    _ name: String, in folder: String?, filePath: String, mode: Mode
  ) throws(CassetteError) -> [String] {
    if mode == .live { return [] }
    do {
      return [try find(name, in: folder, filePath: filePath)]
    } catch {
      guard mode.records else { throw error }
    }
    let folder = folder ?? "Cassettes"
    let base = folder.hasPrefix("/") ? folder : Folder.join(Folder.parent(of: filePath), folder)
    return [Folder.join(base, name.hasSuffix(".json") ? name : name + ".json")]
  }
}

extension Report {
  /// Ends a test's play: writes what was recorded, and says what its requests came to.
  ///
  /// - Parameters:
  ///   - player: Who played.
  ///   - name: The cassettes' name.
  ///   - strictness: What becomes of recordings never asked for.
  ///   - failed: Whether the test failed by itself.
  func end(_ player: CassettePlayer, of name: String, _ strictness: Strictness, failed: Bool) {
    end(player, strictness)
    do throws(CassetteError) {
      for line in try player.save() { say("cassettes: \(line)") }
    } catch {
      say("cassettes: \(error.file): not written: \(error.message)")
      fail("\(error)")
    }
    settle(player.ledger, of: name, strictness, failed: failed)
  }

  private func say(_ line: String) { FileHandle.standardError.write(Data((Printable.escaped(line) + "\n").utf8)) }
}
