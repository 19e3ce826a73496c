internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
package import Cassettes

/// The source text of a cassette, in which interactions can be removed, added and renamed without changing other text.
package struct CassetteText: Sendable {
  /// An interaction in the file.
  struct Entry: Sendable {
    var item: JSONTextList.Item
    /// The id, which is derived from the request if the file contains none.
    var id: String
    let interaction: Interaction
    /// The source text without whitespace between tokens.
    let tokens: [UInt8]
    /// The identity of the request: method, target and body.
    let request: [UInt8]

    init?(_ item: JSONTextList.Item, _ interaction: Interaction) {
      guard let members = JSONTextList(item.text) else { return nil }
      (self.item, self.interaction, id) = (item, interaction, interaction.id)
      tokens = item.tokens
      let content = interaction.requestBody?.fileContent
      let body = members.member("request").flatMap { JSONTextList($0.value) }?.member("body")?.tokens ?? []
      request = Array("\(interaction.method.rawValue) \(interaction.url) ".utf8) + (content ?? body)
    }

    /// The request and id for messages, with secrets masked.
    var name: String { "\(interaction.shown) (\"\(id)\")" }
    /// True if the file contains the id.
    var hasID: Bool { members?.member("id") != nil }
    var members: JSONTextList? { JSONTextList(item.text) }

    /// Changes the id in the source text.
    mutating func rename(to id: String) {
      self.id = id
      guard var members else { return }
      let text = JSONString.encode(id)
      if let index = members.items.firstIndex(where: { $0.name == Array("id".utf8) }) {
        members.items[index].replaceValue(with: text)
      } else {
        let lead = members.items.first?.lead ?? []
        let name = Array("\"id\": ".utf8)
        members.items.insert(
          JSONTextList.Item(lead: lead, text: name + text, name: Array("id".utf8), valueStart: name.count), at: 0)
      }
      item.text = members.text
    }
  }

  private static let list = "interactions"

  /// The text before and after the object: whitespace, and possibly a byte order mark.
  private let around: (before: [UInt8], behind: [UInt8])
  /// The members of the cassette; the interactions are in `entries`.
  var members: JSONTextList
  /// The array of interactions with its original elements, for its whitespace.
  private var brackets: JSONTextList
  var entries: [Entry] = []

  /// Parses a cassette.
  ///
  /// - `file`: The path of the cassette, which locates its body files. Default: nil; body files are not read.
  package init(_ bytes: [UInt8], name: String, file: String? = nil) throws(CassetteError) {
    if let foreign = CassetteFile.foreignFile(bytes, name) { throw foreign }
    let cassette: Cassette
    do {
      // The body files of a version from git or a pipe are missing.
      let beside = file.flatMap { try? CassetteFile.read(bytes: bytes, name: name, file: $0) }
      cassette = if let beside { beside } else { try CassetteFile.read(bytes: bytes, name: name, file: nil) }
    } catch {
      var named = error
      named.file = name
      throw named
    }
    var start = CassetteFile.contentStart(bytes.span)
    JSONScanner.skipWhitespace(in: bytes.span, at: &start)
    var end = bytes.count
    while end > start, bytes[end - 1] != UInt8(ascii: "}") { end -= 1 }
    around = (Array(bytes[..<start]), Array(bytes[end...]))
    guard let members = JSONTextList(bytes[start..<end]) else {
      throw CassetteError(file: name, message: "is not a JSON object")
    }
    self.members = members
    guard let list = members.member(Self.list), let brackets = JSONTextList(list.value) else {
      self.brackets = JSONTextList(isObject: false)
      return
    }
    self.brackets = brackets
    for (item, interaction) in zip(brackets.items, cassette.interactions) {
      if let entry = Entry(item, interaction) { entries.append(entry) }
    }
  }

  /// Creates an empty cassette, which represents a missing file.
  init() {
    around = ([], [])
    members = JSONTextList(isObject: true)
    brackets = JSONTextList(isObject: false)
  }

  /// The source text of the cassette.
  package var bytes: [UInt8] {
    var members = members
    var list = JSONTextList(isObject: false)
    list.tail = brackets.items.isEmpty && !entries.isEmpty ? Self.closing(entries[0].item.lead) : brackets.tail
    list.items = entries.map(\.item)
    let index = members.items.firstIndex { $0.name == Array(Self.list.utf8) }
    if let index {
      members.items[index].replaceValue(with: list.text)
    } else if !entries.isEmpty {
      let name = Array("\"\(Self.list)\": ".utf8)
      members.items.append(
        JSONTextList.Item(
          lead: members.items.last?.lead ?? [], text: name + list.text, name: Array(Self.list.utf8),
          valueStart: name.count))
    }
    return around.before + members.text + around.behind
  }

  /// Returns the whitespace before the closing bracket of an array whose elements follow `lead`.
  private static func closing(_ lead: [UInt8]) -> [UInt8] {
    guard let line = lead.lastIndex(of: 0x0a) else { return [] }
    return Array(lead[...line]) + lead[(line + 1)...].dropLast(2)
  }

  /// The ids of all interactions, in order.
  var ids: [String] { entries.map(\.id) }

  /// Removes interactions by their ids, without changing the text of others.
  mutating func remove(_ ids: Set<String>) {
    // The whitespace before the first element belongs to the array.
    let first = entries.first?.item.lead
    entries.removeAll { ids.contains($0.id) }
    if let first, !entries.isEmpty { entries[0].item.lead = first }
  }

  /// Changes the id of an interaction.
  mutating func rename(_ id: String, to other: String) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].rename(to: other)
  }
}

extension Body {
  /// The content of the body's file; nil if the body is not in a file, or the file cannot be read.
  var fileContent: [UInt8]? { if case .file = form { try? bytes() } else { nil } }
}

/// Describes interactions.
enum EntryWords {
  /// Returns the outcome of the request: `200`, or the name of a failure.
  static func outcome(of interaction: Interaction) -> String {
    if let status = interaction.status { return "\(status)" }
    return interaction.failure?.name ?? "no response"
  }
}

/// Pairs the interactions of two versions of a cassette.
enum InteractionPairs {
  /// Returns the index of the corresponding old interaction for each new one, or nil.
  ///
  /// Interactions are paired by id and request, by identical text, by id (if `byID` is true), and finally by request.
  /// An id alone is weak evidence, because two recordings may have the same id by chance.
  static func pair(_ old: [CassetteText.Entry], _ new: [CassetteText.Entry], byID: Bool = true) -> [Int?] {
    var pairs = [Int?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)

    /// Pairs interactions with equal keys, in order.
    func match<Key: Hashable>(_ key: (CassetteText.Entry) -> Key?) {
      var waiting: [Key: [Int]] = [:]
      for index in old.indices.reversed() where !isTaken[index] {
        if let key = key(old[index]) { waiting[key, default: []].append(index) }
      }
      for index in new.indices where pairs[index] == nil {
        guard let key = key(new[index]), let partner = waiting[key]?.popLast() else { continue }
        pairs[index] = partner
        isTaken[partner] = true
      }
    }

    match { byID && $0.hasID ? Array($0.id.utf8) + [0] + $0.request : nil }
    // Identical text at any position.
    match { $0.tokens }
    if byID { match { $0.hasID ? $0.id : nil } }
    match { $0.request }
    return pairs
  }
}
