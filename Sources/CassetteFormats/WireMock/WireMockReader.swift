internal import CassetteJSON
import Cassettes

/// Reads stub mappings of WireMock, with bodies in `__files`.
enum WireMockReader {
  /// Returns the folder that contains `mappings` and `__files`, for a file or folder below it.
  static func root(of path: String) -> String? {
    var folder = Folder.resolvedKind(of: path) == .folder ? path : Folder.parent(of: path)
    if Folder.resolvedKind(of: Folder.join(folder, "mappings")) == .folder { return folder }
    while folder.contains("/") || folder == "mappings" {
      let parent = Folder.parent(of: folder)
      if folder == "mappings" || folder.hasSuffix("/mappings") { return parent }
      if parent == folder { return nil }
      folder = parent
    }
    return nil
  }

  /// Returns the files of mappings below a folder, or below its subfolder `mappings`.
  static func mappings(in folder: String) -> [String] {
    var trimmed = folder
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    let inner = Folder.join(trimmed, "mappings")
    let isInner = Folder.resolvedKind(of: inner) == .folder
    guard isInner || trimmed == "mappings" || trimmed.hasSuffix("/mappings") else { return [] }
    let start = isInner ? inner : trimmed
    return Folder.files(in: start).files.filter { $0.hasSuffix(".json") }.map { Folder.join(start, $0) }
  }

  /// A mapping, before it is known which of several mappings for the same request is used.
  struct Stub {
    var mapping: JSONValue
    var place: SourcePlace
    var item: String
    var order: Int?
  }

  /// Reads all mappings, and passes them on in the order in which WireMock selects them.
  static func each(
    _ source: ImportSource, _ result: inout ImportSource.Result, _ use: ImportSource.Use
  ) throws(CassetteError) {
    var stubs: [Stub] = []
    for path in source.paths {
      guard let (whole, first) = try WireMockJSON.value(of: path) else { continue }
      let list = whole["mappings"]?.elements ?? [whole]
      result.notes.begin(whole, at: SourcePlace(file: path, line: first, column: 1))
      if whole["mappings"] != nil {
        for (name, value) in whole.members where name != "mappings" || !value.isArray {
          KnownMembers.check(value, KnownMembers.wireMockFile[name], at: [name], &result.notes)
        }
      }
      var last = whole
      var line = first
      for (index, mapping) in list.enumerated() {
        line += mapping.lines(below: last)
        last = mapping
        let name = (mapping["name"] ?? mapping["id"] ?? mapping["uuid"])?.string.map { " \"\($0.prefix(60))\"" } ?? ""
        stubs.append(
          Stub(
            mapping: mapping, place: SourcePlace(file: path, line: line, column: 1), item: "mapping \(index)\(name)",
            order: mapping["insertionIndex"]?.integer))
      }
    }
    result.count += stubs.count
    var made: [(stub: Stub, interaction: Interaction)] = []
    for stub in WireMockOrder.sorted(stubs) {
      do {
        result.notes.begin(stub.mapping, at: stub.place)
        made.append((stub, try WireMockMapping(stub).interaction(&result.notes)))
        KnownMembers.wireMock.check(stub.mapping, &result.notes)
      } catch {
        try result.skip(stub.item, at: stub.place, error)
        // Without the placeholder, a mapping of lower priority would match instead.
        if let gap = result.gap(error) { made.append((stub, gap)) }
      }
    }
    let hidden = WireMockOrder.hidden(made)
    for (index, (stub, _)) in made.enumerated() {
      guard let winner = hidden[index], !made[index].interaction.isGap else { continue }
      let file = winner.place.file == stub.place.file ? "" : " of \(winner.place.file)"
      try result.skip(stub.item, at: stub.place, Unusable("it is never used: \(winner.item)\(file) takes precedence"))
    }
    let left = made.indices.filter { hidden[$0] == nil }.map { made[$0] }
    for (stub, interaction) in WireMockOrder.ranked(left) { try use(interaction, stub.place) }
  }
}
