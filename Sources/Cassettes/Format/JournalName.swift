/// The names of what a recorder keeps beside a cassette until its exchanges are in it.
package enum JournalName {
  /// The suffix of a journal's name.
  package static let suffix = ".journal"

  /// Tells whether a body's file is in the folder of a journal.
  package static func holds(_ path: String) -> Bool {
    path.hasPrefix(".") && path.split(separator: "/").first?.hasSuffix(suffix) == true
  }

  /// Finds the cassettes, there or not, that have a journal: in folders, or among the files themselves.
  package static func found(in paths: [String]) -> [String] {
    paths.flatMap { path -> [String] in
      if Folder.resolvedKind(of: path) == .folder {
        return Folder.files(in: path).files.filter { $0.hasSuffix(suffix) }
          .map { Folder.join(path, String($0.dropLast(suffix.count))) }
      }
      return Folder.resolvedKind(of: CassetteFileBytes.resolvingLink(path) + suffix) == .file ? [path] : []
    }
  }
}
