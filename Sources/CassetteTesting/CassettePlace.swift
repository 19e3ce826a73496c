import Cassettes
import Foundation

/// Where a test's cassettes lie.
enum CassettePlace {
  /// Finds a cassette, or a folder of them, by its name.
  ///
  /// - Parameters:
  ///   - name: Without `.json`; it may lead into folders.
  ///   - folder: Where it is looked for, relative to the test file; nil for `Cassettes`.
  ///   - filePath: The test file.
  /// - Returns: The path of the file or folder.
  /// - Throws: ``CassetteError`` with the places that were looked at.
  static func find(_ name: String, in folder: String?, filePath: String) throws(CassetteError) -> String {
    let home = Folder.parent(of: filePath)
    let folder = folder ?? "Cassettes"
    let base = folder.hasPrefix("/") ? folder : Folder.join(home, folder)
    let plain = Folder.join(base, name)
    let candidates = name.hasSuffix(".json") ? [plain] : [plain + ".json", plain]
    for candidate in candidates where Folder.resolvedKind(of: candidate) != .missing { return candidate }
    let there = Folder.files(in: base).files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    let meant = nearest(to: name, among: there).map { "did you mean \"\($0)\"?" }
    throw CassetteError(
      file: candidates[0],
      message:
        "there is no such cassette; record it with CASSETTE_MODE=record-missing, write it by hand, or use .stub(…)",
      suggestion: meant)
  }
}
