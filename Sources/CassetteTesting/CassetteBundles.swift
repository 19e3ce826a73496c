import Cassettes
import Foundation

/// The folders of resources that came along with the tests, for where the test files did not.
enum CassetteBundles {
  /// The folders of resources that a test file's target may have.
  ///
  /// SwiftPM names them `PACKAGE_TARGET.resources` (on Apple platforms `.bundle`), beside the tests' executable or in
  /// their bundle. The target is told by its folder in the path, `Tests/TARGET/…`. Where no folder is called as one of
  /// them, all are meant, but only if the test file is not there: another target's cassette would be a surprise.
  ///
  /// - Parameters:
  ///   - filePath: The test file.
  ///   - holders: Where such folders are.
  /// - Returns: Their paths.
  static func folders(for filePath: String, in holders: [String]) -> [String] {
    var own: [String] = []
    var others: [String] = []
    let parts = filePath.split(separator: "/").map { "_\($0)" }
    for holder in holders {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: holder)) ?? []
      for name in names.sorted() {
        guard let dot = name.lastIndex(of: "."), [".resources", ".bundle"].contains(name[dot...]) else { continue }
        let path = Folder.join(holder, name)
        // Foundation knows how an Apple bundle is laid out.
        let folder = name.hasSuffix(".bundle") ? Bundle(path: path)?.resourcePath ?? path : path
        if parts.contains(where: name[..<dot].hasSuffix) { own.append(folder) } else { others.append(folder) }
      }
    }
    if own.isEmpty, Folder.resolvedKind(of: filePath) == .missing { own = others }
    // A test bundle made by Xcode carries its resources itself.
    return own + holders.filter { $0.contains(".xctest") }
  }

  /// The folders that may hold such folders: of the executable, of bundles, and where bundles are.
  static var holders: [String] {
    var seen: Set<String> = []
    return ([Bundle.main] + Bundle.allBundles).flatMap { bundle in
      let path = bundle.bundlePath
      let isAlone = (path.split(separator: "/").last ?? "").contains(".")
      return [path, bundle.resourcePath ?? path] + (isAlone ? [Folder.parent(of: path)] : [])
    }.filter { seen.insert($0).inserted }
  }
}
