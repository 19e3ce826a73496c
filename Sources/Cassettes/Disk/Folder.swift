internal import CassetteSystem

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reading folders: their files in a settled order, without leaving them.
package enum Folder {
  /// The kind of a path.
  package enum Kind: Equatable, Sendable {
    case file
    case folder
    case link
    case missing
  }

  /// Tells the kind of a path, links not followed.
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

  /// Returns the target of a symbolic link, as it is written in it; nil for a path that is none.
  static func linkTarget(of path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
  }

  /// Tells the kind of what a path leads to, links followed: a person may link the folder they name.
  package static func resolvedKind(of path: String) -> Kind {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return .missing }
    return isFolder ? .folder : .file
  }

  /// Returns the paths without those that lead where an earlier one leads.
  package static func distinct(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert(CassetteFileBytes.realPath($0) ?? $0).inserted }
  }

  /// Returns the relative paths of the files below a folder, sorted by name, the links that were skipped, and the
  /// folders that cannot be read.
  ///
  /// Folders of some names are not gone into; what begins with a dot is hidden.
  package static func files(
    in path: String, skipping: Set<String> = [], hidden: Bool = false
  ) -> (files: [String], links: [String], unreadable: [String]) {
    let (found, unreadable) = entries(in: path, skipping: skipping, hidden: hidden)
    return (found.filter { $0.kind == .file }.map(\.path), found.filter { $0.kind == .link }.map(\.path), unreadable)
  }

  /// Returns the folders below a folder as relative paths, hidden ones aside; links are not followed.
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

  /// Returns the names of the files in which a file was being written.
  package static func temporaryFiles(in folder: String, of name: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix(".\(name).") && $0.hasSuffix(".tmp") }
  }

  /// Makes a folder, and those above it, unless it is there.
  package static func make(_ path: String) throws(CassetteError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw CassetteError(.foundation(error, "make the folder", path), of: path)
    }
  }

  /// Tells whether files can be made in a folder.
  package static func isWritable(_ path: String) -> Bool { FileManager.default.isWritableFile(atPath: path) }

  /// Returns the folder a file is in.
  package static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the name of a file, without the folder it is in.
  package static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Joins two parts of a path.
  package static func join(_ folder: String, _ name: String) -> String {
    if name.isEmpty { return folder }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  /// Returns the time since a file was last written to, in nanoseconds; the greatest number when that is not known.
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
  package static func signature(of path: String) -> String {
    // A cassette that is named may be a link: `stat` describes the file it leads to.
    var facts = stat()
    guard stat(path, &facts) == 0 else { return "" }
    let changed = lastChange(facts)
    return "\(facts.st_size) \(changed.tv_sec).\(changed.tv_nsec) \(facts.st_ino)"
  }
}
