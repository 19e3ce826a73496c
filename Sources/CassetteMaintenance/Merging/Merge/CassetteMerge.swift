package import Cassettes

/// A three-way merge of cassettes by interaction, which does not depend on lines.
///
/// The exchange (request, response and time) is merged as a unit; `match`, `replay` and the id are merged separately.
/// The source text of the chosen version is preserved.
package struct CassetteMerge: Sendable {
  /// The merged file.
  package private(set) var bytes: [UInt8] = []
  /// The interactions that both sides changed; empty if there are no conflicts.
  package private(set) var conflicts: [MergeConflict] = []

  /// Merges two versions of a cassette.
  ///
  /// - Parameters:
  ///   - base: The common ancestor; empty if there was no file.
  ///   - ours: The version in the current branch.
  ///   - theirs: The version in the other branch.
  ///   - name: The path of the file, for error messages.
  /// - Throws: The first error in a version or in the result.
  package init(base: [UInt8], ours: [UInt8], theirs: [UInt8], name: String) throws(CassetteError) {
    let versions = (
      base: base.isEmpty ? CassetteText() : try CassetteText(base, name: "\(name) (base)"),
      ours: try CassetteText(ours, name: "\(name) (ours)"), theirs: try CassetteText(theirs, name: "\(name) (theirs)")
    )
    do throws(CassetteError) {
      try merge(versions.base, versions.ours, versions.theirs, name, composes: true)
    } catch {
      // Rules of one side and an exchange of the other may be invalid in combination.
      try merge(versions.base, versions.ours, versions.theirs, name, composes: false)
    }
  }

  /// The identity of an interaction in the result: its index in the base, or its number among the added ones.
  enum Node: Hashable {
    case base(Int)
    case added(Int)
  }

  private mutating func merge(
    _ base: CassetteText, _ ours: CassetteText, _ theirs: CassetteText, _ name: String, composes: Bool
  ) throws(CassetteError) {
    conflicts = []
    var result = ours
    conflicts += Self.mergeMembers(base, theirs, into: &result)

    // Pairs the interactions of the three versions.
    var (ourOrder, theirOrder): ([Node], [Node]) = ([], [])
    var sides: [Node: (ours: CassetteText.Entry?, theirs: CassetteText.Entry?)] = [:]
    var news: (ours: [Int], theirs: [Int]) = ([], [])
    for (index, partner) in InteractionPairs.pair(base.entries, ours.entries).enumerated() {
      if let partner { sides[.base(partner), default: (nil, nil)].ours = ours.entries[index] }
      ourOrder.append(partner.map(Node.base) ?? .added(news.ours.count))
      if partner == nil { news.ours.append(index) }
    }
    let theirPairs = InteractionPairs.pair(base.entries, theirs.entries)
    news.theirs = theirPairs.indices.filter { theirPairs[$0] == nil }
    let added = news.ours.map { ours.entries[$0] }
    let addedPairs = InteractionPairs.pair(added, news.theirs.map { theirs.entries[$0] }, byID: false)
    for (number, entry) in added.enumerated() { sides[.added(number)] = (entry, nil) }
    var next = added.count
    var newNumbers = addedPairs.makeIterator()
    for (index, partner) in theirPairs.enumerated() {
      let node: Node
      if let partner {
        node = .base(partner)
      } else if let number = newNumbers.next() ?? nil {
        node = .added(number)
      } else {
        node = .added(next)
        next += 1
      }
      sides[node, default: (nil, nil)].theirs = theirs.entries[index]
      theirOrder.append(node)
    }

    var kept: [Node: [CassetteText.Entry]] = [:]
    let order = MergeOrder.merged(ourOrder, theirOrder)
    for node in order {
      let before: CassetteText.Entry? = if case .base(let index) = node { base.entries[index] } else { nil }
      let merged = InteractionMerge(before, sides[node]?.ours, sides[node]?.theirs, composes: composes)
      kept[node] = merged.entries
      if let conflict = merged.conflict { conflicts.append(conflict) }
    }
    result.entries = Self.named(order, kept, sides)
    Self.layOut(&result, ours.entries.isEmpty ? theirs : ours)
    let merged = result.bytes
    _ = try CassetteFile.read(bytes: merged, name: name, file: nil)
    bytes = merged
  }

  /// Makes the ids of new recordings unique, which both sides may have chosen independently.
  private static func named(
    _ order: [Node], _ kept: [Node: [CassetteText.Entry]],
    _ sides: [Node: (ours: CassetteText.Entry?, theirs: CassetteText.Entry?)]
  ) -> [CassetteText.Entry] {
    var taken: Set<String> = []
    var entries: [(entry: CassetteText.Entry, isFirst: Bool)] = []
    for node in order {
      for (number, entry) in (kept[node] ?? []).enumerated() {
        entries.append((entry, sides[node]?.ours != nil && number == 0))
      }
    }
    // Ids of this branch are assigned first, so that they keep their meaning.
    for isFirst in [true, false] {
      for index in entries.indices where entries[index].isFirst == isFirst && entries[index].entry.hasID {
        let free = UniqueIDs.free(entries[index].entry.id, among: taken)
        if free != entries[index].entry.id { entries[index].entry.rename(to: free) }
        taken.insert(free)
      }
    }
    return entries.map(\.entry)
  }

  /// Gives the first element the whitespace of the original's first element, and an element that was first before that
  /// of the second one.
  private static func layOut(_ result: inout CassetteText, _ like: CassetteText) {
    guard let first = like.entries.first?.item.lead, !result.entries.isEmpty else { return }
    let other = like.entries.count > 1 ? like.entries[1].item.lead : first
    for index in result.entries.indices.dropFirst() where result.entries[index].item.lead == first {
      result.entries[index].item.lead = other
    }
    result.entries[0].item.lead = first
  }

  /// Merges the members of the cassette other than the interactions.
  private static func mergeMembers(
    _ base: CassetteText, _ theirs: CassetteText, into result: inout CassetteText
  ) -> [MergeConflict] {
    var conflicts: [MergeConflict] = []
    var names: [String] = []
    for list in [base.members, result.members, theirs.members] {
      for item in list.items {
        let name = String(decoding: item.name, as: UTF8.self)
        if name != "interactions", !names.contains(name) { names.append(name) }
      }
    }
    for name in names {
      let (old, our, their) = (base.members.member(name), result.members.member(name), theirs.members.member(name))
      guard their?.tokens != our?.tokens else { continue }
      if our?.tokens == old?.tokens {
        result.members.set(name, their, behind: ["$schema", "cassette", "origin", "matching", "match", "resource"])
      } else if their?.tokens != old?.tokens {
        let theirs = their.map { String(decoding: $0.tokens.prefix(200), as: UTF8.self) } ?? "nothing"
        conflicts.append(MergeConflict(name: "\"\(name)\"", kind: .member(theirs: theirs)))
      }
    }
    return conflicts
  }
}
