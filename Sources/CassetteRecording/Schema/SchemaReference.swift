package import Cassettes

/// The `$schema` of a cassette that becomes a new file: where editors find what `mockserver schema` prints.
package enum SchemaReference {
  /// The name of the schema's file.
  package static let name = "cassette.schema.json"

  /// Returns the path to the nearest schema above a file; where there is none, to its place at the root of the repository.
  ///
  /// Outside of a repository it is beside the file. Nothing of it need exist, the folder neither.
  ///
  /// - Parameter path: The file of the cassette.
  /// - Returns: A relative path, such as `../../cassette.schema.json`.
  package static func path(from path: String) -> String {
    var (home, way) = (Folder.parent(of: path), name)
    while Folder.resolvedKind(of: home) == .missing, Folder.parent(of: home) != home {
      (home, way) = (Folder.parent(of: home), "../\(way)")
    }
    home = CassetteFileBytes.realPath(home) ?? home
    while true {
      let isHere = Folder.resolvedKind(of: Folder.join(home, name)) == .file
      // In a worktree and in a submodule it is a file.
      if isHere || Folder.kind(of: Folder.join(home, ".git")) != .missing { return way }
      guard Folder.parent(of: home) != home else { return name }
      (home, way) = (Folder.parent(of: home), "../\(way)")
    }
  }
}

extension Cassette {
  /// Returns the cassette as it becomes a new file: with the `$schema` that editors look for.
  package func forNewFile(_ path: String) -> Cassette {
    var cassette = self
    cassette.schema = SchemaReference.path(from: path)
    return cassette
  }
}
