package import Cassettes

/// The `$schema` of a new cassette next to a saved schema, with which editors find the output of `mockserver schema`.
package enum SchemaReference {
  /// The name of the schema's file.
  static let name = "cassette.schema.json"

  /// Returns the path of the nearest schema in the folders above a cassette, up to the root of its repository, or nil.
  ///
  /// The folder of the cassette need not exist.
  package static func path(from path: String) -> String? {
    var (home, way) = (Folder.parent(of: path), name)
    while Folder.resolvedKind(of: home) == .missing, Folder.parent(of: home) != home {
      (home, way) = (Folder.parent(of: home), "../\(way)")
    }
    home = CassetteFileBytes.realPath(home) ?? home
    while true {
      if Folder.resolvedKind(of: Folder.join(home, name)) == .file { return way }
      // In worktrees and submodules, `.git` is a file.
      let isRoot = Folder.kind(of: Folder.join(home, ".git")) != .missing
      guard !isRoot, Folder.parent(of: home) != home else { return nil }
      (home, way) = (Folder.parent(of: home), "../\(way)")
    }
  }
}

extension Cassette {
  /// Returns the cassette for a new file, with its `$schema` if the file of the schema exists.
  package func forNewFile(_ path: String) -> Cassette {
    var cassette = self
    cassette.schema = SchemaReference.path(from: path)
    return cassette
  }
}
