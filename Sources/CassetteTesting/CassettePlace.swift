internal import CassettePlayback
import CassetteSession
internal import CassetteSystem
import Cassettes
import Foundation

/// Locates the cassettes of a test.
package enum CassettePlace {
  /// Finds a cassette or folder by its name without `.json`: relative to the test file, then in the resources of its
  /// target.
  ///
  /// - `filter`: The filter that runs only the test, for the command that records the cassette; nil if it is unknown.
  package static func find(
    _ name: String, in folder: String?, filePath: String, filter: String? = nil, holders: [String]? = nil
  ) throws(CassetteError) -> String {
    let folder = folder ?? "Cassettes"
    let base = home(folder, filePath: filePath)
    if let path = CassettePlayer.path(of: name, in: base) { return path }
    var places: [String] = []
    // An absolute path is not searched for in other folders.
    if !folder.hasPrefix("/") {
      places = CassetteBundles.folders(for: filePath, in: holders ?? CassetteBundles.holders)
      for place in places {
        for base in bases(of: folder, in: place) {
          if let path = CassettePlayer.path(of: name, in: base) { return path }
        }
      }
    }
    throw missing(name, base, filePath, filter, bundles: places, folder)
  }

  /// Returns true if the file at a path is a cassette with `"recording": "never"`.
  package static func isProtected(_ path: String) -> Bool {
    guard Folder.resolvedKind(of: path) == .file, let library = try? CassetteLibrary.load([path]) else { return false }
    return library.cassettes.contains(where: \.isProtected)
  }

  /// Returns the folder to which recordings are written: absolute, or relative to the test file.
  static func home(_ folder: String?, filePath: String) -> String {
    let folder = folder ?? "Cassettes"
    return folder.hasPrefix("/") ? folder : Folder.join(Folder.parent(of: filePath), folder)
  }

  /// Returns the possible paths of a folder in a resource bundle: `.copy` keeps the last component of its path,
  /// `.process` keeps none.
  private static func bases(of folder: String, in bundle: String) -> [String] {
    let last = folder.split(separator: "/").last { $0 != ".." && $0 != "." }.map(String.init) ?? ""
    return [Folder.join(bundle, last), bundle]
  }

  private static func missing(
    _ name: String, _ base: String, _ filePath: String, _ filter: String?, bundles: [String], _ folder: String
  ) -> CassetteError {
    let names = ([base] + bundles.flatMap { bases(of: folder, in: $0) }).flatMap { base in
      Folder.files(in: base).files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    }
    let others = bundles.isEmpty ? "" : ", nor in \(bundles.joined(separator: ", "))"
    var next: String
    if Folder.resolvedKind(of: Folder.parent(of: filePath)) == .missing {
      next = "the test's source folder is not on this machine: add resources: [.copy(\"\(folder)\")] to its target"
    } else {
      next = "record it: \(RecordCommand.test(with: filter)), or write it by hand"
    }
    // The folder is often repeated in the name.
    let bare = name.split(separator: "/").last.map(String.init) ?? name
    if let near = nearest(to: name, among: names) ?? (names.contains(bare) ? bare : nil) {
      next = "did you mean \"\(near)\"? Otherwise \(next)"
    }
    let file = name.hasSuffix(".json") ? name : name + ".json"
    return CassetteError(
      file: Folder.join(base, file), message: "the cassette was not found\(others)", suggestion: next)
  }
}
