import Cassettes
import Foundation

/// The resource folders of test targets, used if the source folder of the tests is not available.
enum CassetteBundles {
  /// Returns the resource folders that the target of a test file may have.
  ///
  /// SwiftPM names the folders `PACKAGE_TARGET.resources` (on Apple platforms `.bundle`), and creates them next to the
  /// tests' executable or in their bundle. The target is the folder `Tests/TARGET/…` in the path of the test file. If
  /// no folder has the name of the target, all folders are returned, but only if the test file does not exist:
  /// otherwise a cassette of another target might be found.
  static func folders(for filePath: String, in holders: [String]) -> [String] {
    var own: [String] = []
    var others: [String] = []
    let parts = filePath.split(separator: "/").map { "_\($0)" }
    for holder in holders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: holder)) ?? []
      for name in names.sorted() {
        guard let dot = name.lastIndex(of: "."), [".resources", ".bundle"].contains(name[dot...]) else { continue }
        let path = Folder.join(holder, name)
        // Foundation returns the resource path of a bundle on Apple platforms.
        let folder = name.hasSuffix(".bundle") ? Bundle(path: path)?.resourcePath ?? path : path
        if parts.contains(where: name[..<dot].hasSuffix) { own.append(folder) } else { others.append(folder) }
      }
    }
    if own.isEmpty, Folder.resolvedKind(of: filePath) == .missing { own = others }
    // A test bundle made by Xcode contains the resources itself.
    return own + holders.filter { $0.contains(".xctest") }
  }

  /// The folders that may contain resource folders: those of the executable and of all bundles, and the folders that
  /// contain bundles.
  static var holders: [String] {
    var seen: Set<String> = []
    return ([Bundle.main] + Bundle.allBundles).flatMap { bundle in
      let path = bundle.bundlePath
      let isAlone = (path.split(separator: "/").last ?? "").contains(".")
      return [path, bundle.resourcePath ?? path] + (isAlone ? [Folder.parent(of: path)] : [])
    }.filter { seen.insert($0).inserted }
  }
}
