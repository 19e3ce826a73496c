import Foundation
import PackagePlugin

/// A folder of cassettes.
struct Shelf {
  /// The path as it is printed: relative to the folder the command was run in, where it is below it.
  let path: String
  /// True if tests play its cassettes one at a time.
  let isOfTests: Bool

  /// Tells whether a line of `check` is none for this folder.
  ///
  /// The tool checks what one server would serve. Tests play each cassette by itself: that several answer the same
  /// request is what they are for.
  func allows(_ line: String) -> Bool { isOfTests && line.hasSuffix(" too, which plays first") }

  /// The folders that were named, or all of a package: one at least.
  static func named(_ paths: [String], orOf package: Package) throws -> [Shelf] {
    guard paths.isEmpty else { return paths.map { Shelf(path: $0, isOfTests: isOfTests($0)) } }
    let found = all(of: package)
    guard !found.isEmpty else {
      throw Failure("there is no folder Cassettes beside a test file, and no cassettes/; name one: cassettes list PATH")
    }
    return found
  }

  private static func isOfTests(_ path: String) -> Bool { path.split(separator: "/").contains("Cassettes") }

  private static func all(of package: Package) -> [Shelf] {
    let root = package.directoryURL
    var folders: [URL] = []
    for target in package.targets where (target as? any SourceModuleTarget)?.kind == .test {
      folders += cassetteFolders(below: target.directoryURL)
    }
    var shelves = folders.map { Shelf(path: readable($0), isOfTests: true) }
    let served = root.appending(path: "cassettes")
    // The name as it is on the disk: `cassettes` and `Cassettes` may be one folder.
    if (try? FileManager.default.contentsOfDirectory(atPath: root.path))?.contains("cassettes") == true {
      shelves.append(Shelf(path: readable(served), isOfTests: false))
    }
    var seen: Set<String> = []
    return shelves.filter { seen.insert($0.path).inserted }.sorted { $0.path < $1.path }
  }

  /// Every folder of that name, those inside of another aside: a folder is read with what is below it.
  private static func cassetteFolders(below folder: URL) -> [URL] {
    let keys: [URLResourceKey] = [.isDirectoryKey]
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: keys, options: [.skipsHiddenFiles, .skipsPackageDescendants])
    guard let files else { return [] }
    var found: [URL] = []
    for case let url as URL in files
    where url.lastPathComponent == "Cassettes"
      && (try? url.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
    {
      found.append(url)
      files.skipDescendants()
    }
    return found
  }

  private static func readable(_ url: URL) -> String { readable(url.standardizedFileURL.path) }

  /// A text that begins with a path, without the folder the command was run in.
  static func readable(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// The files of a package's folders of cassettes, by their paths.
  static func contents(of package: Package) -> [String: Data] {
    var contents: [String: Data] = [:]
    for shelf in all(of: package) {
      let files = FileManager.default.enumerator(atPath: shelf.path)
      while let file = files?.nextObject() as? String {
        let path = "\(shelf.path)/\(file)"
        // A folder has no data, and opening a named pipe may block; names of cassettes do not begin with a dot.
        guard !file.hasPrefix("."), !file.contains("/."),
          files?.fileAttributes?[.type] as? FileAttributeType == .typeRegular,
          let data = FileManager.default.contents(atPath: path)
        else { continue }
        contents[path] = data
      }
    }
    return contents
  }
}
