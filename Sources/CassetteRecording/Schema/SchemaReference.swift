package import Cassettes

/// The `$schema` of a new cassette, with which editors find the output of `mockserver schema`.
package enum SchemaReference {
  /// The name of the schema's file.
  static let name = "cassette.schema.json"

  /// Returns the path of the nearest schema in a parent folder, or of a schema at the root of the repository.
  ///
  /// Outside of a repository, the path refers to the folder of the cassette. Neither the schema nor the folder need
  /// exist.
  package static func path(from path: String) -> String {
    var (home, way) = (Folder.parent(of: path), name)
    while Folder.resolvedKind(of: home) == .missing, Folder.parent(of: home) != home {
      (home, way) = (Folder.parent(of: home), "../\(way)")
    }
    home = CassetteFileBytes.realPath(home) ?? home
    while true {
      let isHere = Folder.resolvedKind(of: Folder.join(home, name)) == .file
      // In worktrees and submodules, `.git` is a file.
      if isHere || Folder.kind(of: Folder.join(home, ".git")) != .missing { return way }
      guard Folder.parent(of: home) != home else { return name }
      (home, way) = (Folder.parent(of: home), "../\(way)")
    }
  }
}

extension Cassette {
  /// Returns the cassette for a new file, with its `$schema`.
  package func forNewFile(_ path: String) -> Cassette {
    var cassette = self
    cassette.schema = SchemaReference.path(from: path)
    return cassette
  }
}
