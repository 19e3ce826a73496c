/// The names of the files in which a recorder keeps exchanges until they are written to the cassette.
package enum JournalName {
  /// The suffix of a journal's name.
  package static let suffix = ".journal"

  /// Returns true if a body file is in the folder of a journal.
  package static func holds(_ path: String) -> Bool {
    path.hasPrefix(".") && path.split(separator: "/").first?.hasSuffix(suffix) == true
  }

  /// Returns the paths of cassettes that have a journal, in folders or among the given files; the cassettes themselves
  /// need not exist.
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
