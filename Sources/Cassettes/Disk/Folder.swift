internal import CassetteSystem

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Lists folders in sorted order, without following links out of them.
package enum Folder {
  /// The type of the file at a path.
  package enum Kind: Equatable, Sendable {
    case file
    case folder
    case link
    case missing
  }

  /// Returns the kind of a path; does not follow links.
  package static func kind(of path: String) -> Kind {
    // FileManager would also look up the names of owner and group, in two files of /etc.
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return .missing }
    switch facts.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .file
    }
  }

  /// Returns the target of a symbolic link, as stored in the link; nil if the path is not a link.
  static func linkTarget(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Returns the kind of a path's target.
  ///
  /// Follows links, because a user may name a link to a folder.
  package static func resolvedKind(of path: String) -> Kind {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return .missing }
    return isFolder ? .folder : .file
  }

  /// Returns the paths without those that have the same target as an earlier path.
  package static func distinct(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert(CassetteFileBytes.realPath($0) ?? $0).inserted }
  }

  /// Returns the relative paths of the files below a folder, sorted by name, the links that were skipped, and the
  /// folders that cannot be read.
  ///
  /// Does not descend into folders with a name in `skipping`. Names that begin with a dot are hidden, and skipped by
  /// default.
  package static func files(
    in path: String, skipping: Set<String> = [], hidden: Bool = false
  ) -> (files: [String], links: [String], unreadable: [String]) {
    let (found, unreadable) = entries(in: path, skipping: skipping, hidden: hidden)
    return (found.filter { $0.kind == .file }.map(\.path), found.filter { $0.kind == .link }.map(\.path), unreadable)
  }

  /// Returns the folders below a folder as relative paths, without hidden folders.
  ///
  /// Does not follow links.
  package static func folders(in path: String) -> [String] {
    entries(in: path, skipping: [], hidden: false).found.filter { $0.kind == .folder }.map(\.path)
  }

  private static func entries(
    in path: String, skipping: Set<String>, hidden: Bool
  ) -> (found: [(path: String, kind: Kind)], unreadable: [String]) {
    var entries: [(path: String, kind: Kind)] = []
    var unreadable: [String] = []
    func visit(_ prefix: String) {
      let read = DescriptorReserve.lending {
        try? FileManager.default.contentsOfDirectory(atPath: join(path, prefix))
      }
      guard let names = read else {
        // The folder may have been removed in the meantime.
        if kind(of: join(path, prefix)) == .folder { unreadable.append(prefix) }
        return
      }
      for name in names.sorted() where hidden || !name.hasPrefix(".") {
        let relative = prefix.isEmpty ? name : "\(prefix)/\(name)"
        let kind = kind(of: join(path, relative))
        entries.append((relative, kind))
        if kind == .folder, !skipping.contains(name) { visit(relative) }
      }
    }
    visit("")
    return (entries, unreadable)
  }

  /// Returns the names of the temporary files of a file, which interrupted writes left in the folder.
  package static func temporaryFiles(in folder: String, of name: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(".\(name).") && $0.hasSuffix(".tmp") }
  }

  /// Creates a folder and the folders above it, unless it exists.
  package static func make(_ path: String) throws(CassetteError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CassetteError(.foundation(error, "create the folder", path), of: path)
    }
  }

  /// Returns the folder that contains a file.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the name of a file without its folder.
  package static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Joins two parts of a path.
  package static func join(_ folder: String, _ name: String) -> String {
    if name.isEmpty { return folder }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the nanoseconds since a file was last changed; the maximum value if the time is unknown.
  package static func age(of path: String) -> UInt64 {
    var facts = stat()
    var now = timespec()
    guard lstat(path, &facts) == 0, clock_gettime(CLOCK_REALTIME, &now) == 0 else { return .max }
    let changed = lastChange(facts)
    let seconds = Double(now.tv_sec) - Double(changed.tv_sec)
    return UInt64(min(max(0, seconds * 1e9 + Double(now.tv_nsec - changed.tv_nsec)), 1e18))
  }

  private static func lastChange(_ facts: stat) -> timespec {
    #if canImport(Darwin)
      facts.st_mtimespec
    #else
      facts.st_mtim
    #endif
  }

  /// Returns a signature that changes when a file is written: its size and the time of its last change, in nanoseconds.
  static func signature(of path: String) -> String {
    // `stat` and not `lstat`: the path of a cassette may be a link, and its target is the file that changes.
    var facts = stat()
    guard stat(path, &facts) == 0 else { return "" }
    let changed = lastChange(facts)
    return "\(facts.st_size) \(changed.tv_sec).\(changed.tv_nsec) \(facts.st_ino)"
  }
}
