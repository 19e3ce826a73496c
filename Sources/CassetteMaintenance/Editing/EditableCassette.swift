internal import CassetteJSON
internal import CassetteRecording
package import Cassettes

/// A cassette file with its source text, for edits.
package struct EditableCassette: Sendable {
  /// The path of the file, which need not exist.
  package let path: String
  /// The bytes of the file; nil if it does not exist.
  package let bytes: [UInt8]?
  /// The cassette that the bytes describe.
  package let cassette: Cassette

  /// Reads a cassette file.
  ///
  /// - `path`: The path of the file, which need not exist.
  package init(reading path: String) throws(CassetteError) {
    switch Folder.kind(of: path) {
    case .file: try self.init(path: path, try CassetteFile.bytes(of: path))
    case .missing: try self.init(path: path, nil)
    default: throw CassetteError(file: path, message: "is a link or a folder instead of a regular file")
    }
  }

  /// Creates a cassette from the contents of a file.
  ///
  /// - `path`: The path of the file, which need not exist.
  /// - `bytes`: The bytes of the file; nil if it does not exist.
  package init(path: String, _ bytes: [UInt8]?) throws(CassetteError) {
    (self.path, self.bytes) = (path, bytes)
    let name = CassetteFile.name(ofFile: path)
    if let bytes {
      cassette = try CassetteFile.read(bytes: bytes, name: name, file: path)
    } else {
      cassette = Cassette(name: name).forNewFile(path)
    }
  }

  /// Returns the index of an interaction by its id.
  package func index(of id: String) -> Int? {
    cassette.interactions.firstIndex { $0.id == id || $0.shownID == id }
  }

  /// Returns an edit that changes the array of interactions; throws if the result is not a valid cassette.
  private func edit(
    _ id: String, _ change: (inout JSONTextList, _ line: [UInt8]) -> Void
  ) throws(CassetteError) -> CassetteEdit {
    // A byte order mark is not valid JSON.
    guard let bytes, let range = JSONTree(bytes)?.root.range, var file = JSONTextList(bytes[range]),
      let place = file.items.firstIndex(where: { $0.name == Array("interactions".utf8) }),
      var list = JSONTextList(file.items[place].value)
    else { throw odd }
    change(&list, file.items[place].indent ?? [])
    file.items[place].replaceValue(with: list.text)
    return try edit(bytes[..<range.lowerBound] + file.text + bytes[range.upperBound...], id)
  }

  private func edit(_ after: [UInt8], _ id: String) throws(CassetteError) -> CassetteEdit {
    _ = try CassetteFile.read(bytes: after, name: cassette.name, file: path)
    return CassetteEdit(path: path, before: bytes, after: after, interaction: id)
  }

  /// Returns an edit that adds rules to an interaction.
  package func adding(_ rules: MatchRules, to index: Int) throws(CassetteError) -> CassetteEdit {
    let text = Array("{\n  \"match\": ".utf8) + Self.indented(RuleNotation.text(of: rules)) + Array("\n}".utf8)
    guard let added = JSONTextList(text), cassette.interactions.indices.contains(index) else { throw odd }
    let one = cassette.interactions[index]
    return try edit(one.shownID) { list, line in
      guard var members = JSONTextList(list.items[index].value) else { return }
      members.merge(added, behind: one.failure != nil ? "failure" : "response", line: list.items[index].indent ?? line)
      list.items[index].replaceValue(with: members.text)
    }
  }

  /// Returns an edit that adds an interaction.
  ///
  /// - `index`: The index of the interaction to insert after. Default: after the last one.
  package func adding(_ interaction: Interaction, behind index: Int? = nil) throws(CassetteError) -> CassetteEdit {
    guard bytes != nil else {
      var made = cassette
      made.interactions = [interaction]
      return try edit(try CassetteFile.bytes(of: made), interaction.id)
    }
    let added = JSONTextList.Item(lead: [], text: try Self.text(of: interaction))
    return try edit(interaction.id) { list, line in
      list.insert([added], behind: index.flatMap { list.items.indices.contains($0) ? $0 : nil }, line: line, from: 4)
    }
  }

  /// Returns the source text of an interaction, indented for its place in a cassette.
  package static func text(of interaction: Interaction) throws(CassetteError) -> [UInt8] {
    let whole = try CassetteFile.bytes(of: Cassette(name: "one", interactions: [interaction]))
    guard let tree = JSONTree(whole), case .object(let members) = tree.root.kind,
      case .array(let nodes)? = members.last?.value.kind, let node = nodes.first
    else { return [] }
    return Array(whole[node.range])
  }

  private var odd: CassetteError {
    CassetteError(
      file: path, message: "has an encoding that cannot be edited: save it as JSON without a byte order mark")
  }

  /// Indents all lines except the first by one level.
  private static func indented(_ text: [UInt8]) -> [UInt8] {
    Array(text.split(separator: 10, omittingEmptySubsequences: false).joined(separator: [10, 32, 32]))
  }
}
