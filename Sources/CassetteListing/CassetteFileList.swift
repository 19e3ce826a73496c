import CassetteFiles
package import Cassettes

/// The cassettes among the files that a command is pointed to.
package enum CassetteFileList {
  /// The names of cassettes below a folder.
  package static func files(in folder: String) -> [String] {
    Folder.files(in: folder, skipping: ["fixtures", "bodies"]).files.filter { name in
      name.hasSuffix(".json")
        && ((try? CassetteFile.bytes(of: Folder.join(folder, name))).map(Cassette.isCassette) ?? false)
    }
  }

  /// The paths of all cassettes: files as they are named, folders looked through.
  package static func files(of paths: [String]) -> [String] {
    Folder.distinct(paths).flatMap { path in
      Folder.resolvedKind(of: path) == .folder ? files(in: path).map { Folder.join(path, $0) } : [path]
    }
  }

  /// Writes a file as a whole or not at all; a link keeps pointing at it.
  package static func write(_ bytes: [UInt8], to path: String) throws(CassetteError) {
    do {
      try CassetteFileFolder.write(bytes, toFileAt: CassetteFileBytes.resolvingLink(path))
    } catch {
      throw CassetteError(file: path, message: error.message)
    }
  }
}
