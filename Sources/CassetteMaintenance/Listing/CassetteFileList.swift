package import Cassettes

/// Finds the cassettes among the files and folders of a command line.
package enum CassetteFileList {
  /// Returns the names of the cassettes below a folder.
  package static func files(in folder: String) -> [String] {
    Folder.files(in: folder, skipping: ["fixtures", "bodies"]).files.filter { name in
      name.hasSuffix(".json")
        && ((try? CassetteFile.bytes(of: Folder.join(folder, name))).map(Cassette.isCassette) ?? false)
    }
  }

  /// Returns the paths of all cassettes: files as given, and the cassettes below folders.
  package static func files(of paths: [String]) -> [String] {
    Folder.distinct(paths).flatMap { path in
      Folder.resolvedKind(of: path) == .folder ? files(in: path).map { Folder.join(path, $0) } : [path]
    }
  }

  /// Writes a file atomically; a symbolic link keeps its target.
  package static func write(_ bytes: [UInt8], to path: String) throws(CassetteError) {
    do {
      try CassetteFileFolder.write(bytes, toFileAt: CassetteFileBytes.resolvingLink(path))
    } catch {
      throw CassetteError(file: path, message: error.message)
    }
  }
}
