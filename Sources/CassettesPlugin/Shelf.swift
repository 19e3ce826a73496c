import Foundation
import PackagePlugin

/// A folder of cassettes.
struct Shelf {
  /// The path for display, which is relative to the current folder for folders below it.
  let path: String

  /// Returns the named folders, or by default all folders of a package.
  ///
  /// Throws an error if the package has no such folders.
  static func named(_ paths: [String], orOf package: Package) throws -> [Shelf] {
    guard paths.isEmpty else { return paths.map { Shelf(path: $0) } }
    let found = all(of: package)
    guard !found.isEmpty else {
      throw Failure(
        "no cassettes found: neither a folder Cassettes next to a test file nor cassettes/; name a folder: cassettes "
          + "list PATH")
    }
    return found
  }

  private static func all(of package: Package) -> [Shelf] {
    let root = package.directoryURL
    var folders: [URL] = []
    for target in package.targets where (target as? any SourceModuleTarget)?.kind == .test {
      folders += cassetteFolders(below: target.directoryURL)
    }
    var shelves = folders.map { Shelf(path: readable($0)) }
    let served = root.appending(path: "cassettes")
    // The name is compared with the directory listing, because `cassettes` and `Cassettes` may be the same folder.
    if (try? FileManager.default.contentsOfDirectory(atPath: root.path))?.contains("cassettes") == true {
      shelves.append(Shelf(path: readable(served)))
    }
    var seen: Set<String> = []
    return shelves.filter { seen.insert($0.path).inserted }.sorted { $0.path < $1.path }
  }

  /// Returns all folders named `Cassettes` except nested ones, because a folder is read recursively.
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

  /// Removes the path of the current folder from the start of a message.
  static func readable(_ path: String) -> String {
    let here = FileManager.default.currentDirectoryPath + "/"
    return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
  }

  /// Returns the contents of all files in a package's cassette folders, keyed by path.
  static func contents(of package: Package) -> [String: Data] {
    var contents: [String: Data] = [:]
    for shelf in all(of: package) {
      let files = FileManager.default.enumerator(atPath: shelf.path)
      while let file = files?.nextObject() as? String {
        let path = "\(shelf.path)/\(file)"
        // Folders have no data, and opening a named pipe may block. Names of cassettes do not begin with a dot.
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
