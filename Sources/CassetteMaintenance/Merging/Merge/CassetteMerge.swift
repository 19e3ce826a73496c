internal import CassetteRecording
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
  /// - `base`: The common ancestor; empty if there was no file.
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

  /// Gives the first element the whitespace of the original's first element.
  ///
  /// An element that was first before gets the whitespace of the original's second element.
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

/// The merge of one interaction from three versions.
struct InteractionMerge {
  /// The interactions for the result: none, one, or both sides in case of a conflict.
  private(set) var entries: [CassetteText.Entry] = []
  private(set) var conflict: MergeConflict?

  /// Merges three versions of an interaction, which are nil if it is absent.
  ///
  /// If `composes` is true, rules of one side may be combined with the exchange of the other.
  init(_ base: CassetteText.Entry?, _ ours: CassetteText.Entry?, _ theirs: CassetteText.Entry?, composes: Bool) {
    switch (ours, theirs) {
    case (nil, nil): return
    case (let one?, nil): keep(one, deletedFrom: base, .deletedByTheirs, .deletedByTheirs)
    case (nil, let one?): keep(one, deletedFrom: base, .deletedByOurs, .deletedByOurs)
    case (let ours?, let theirs?):
      if let merged = Self.merged(base, ours, theirs, composes: composes) {
        entries = [merged]
      } else {
        var other = theirs
        other.rename(to: ours.id + MergeConflict.Mark.theirs.rawValue)
        entries = [ours, other]
        conflict = MergeConflict(
          name: ours.name, kind: base == nil ? .added : .changed,
          differences: InteractionChange.words(from: ours, to: theirs))
      }
    }
  }

  private mutating func keep(
    _ entry: CassetteText.Entry, deletedFrom base: CassetteText.Entry?, _ kind: MergeConflict.Kind,
    _ mark: MergeConflict.Mark
  ) {
    guard let base else {
      entries = [entry]
      return
    }
    // The other side deleted an interaction that this side did not change.
    if entry.tokens == base.tokens { return }
    var marked = entry
    marked.rename(to: entry.id + mark.rawValue)
    entries = [marked]
    conflict = MergeConflict(name: entry.name, kind: kind)
  }

  /// Returns the merged interaction, or nil if there is a conflict.
  private static func merged(
    _ base: CassetteText.Entry?, _ ours: CassetteText.Entry, _ theirs: CassetteText.Entry, composes: Bool
  ) -> CassetteText.Entry? {
    if ours.item.text == base?.item.text { return theirs }
    if theirs.item.text == base?.item.text || ours.tokens == theirs.tokens { return ours }
    if ours.tokens == base?.tokens { return theirs }
    if theirs.tokens == base?.tokens { return ours }
    guard let our = ours.members, let their = theirs.members else { return nil }
    let old = base?.members

    // The exchange is taken from one side as a whole.
    let exchange = ["request", "response", "failure"]
    func isChanged(_ side: JSONTextList) -> Bool {
      exchange.contains { side.member($0)?.tokens != old?.member($0)?.tokens }
    }
    let takesTheirs: Bool
    if !isChanged(our) {
      takesTheirs = isChanged(their) || our.member("recorded")?.tokens == old?.member("recorded")?.tokens
    } else if !isChanged(their) || RecordingComparison.isSame(ours.interaction, theirs.interaction) {
      takesTheirs = false
    } else {
      return nil
    }
    var entry = takesTheirs ? theirs : ours
    guard var members = entry.members else { return nil }
    // Rules and the id are merged separately.
    for name in ["id", "match", "replay"] {
      let (before, one, other) = (old?.member(name), our.member(name), their.member(name))
      let wanted: JSONTextList.Item?
      if one?.tokens == before?.tokens {
        wanted = other
      } else if other?.tokens == before?.tokens || one?.tokens == other?.tokens || name == "id" {
        wanted = one
      } else {
        return nil
      }
      guard members.member(name)?.tokens != wanted?.tokens else { continue }
      guard composes else { return nil }
      members.set(name, wanted, behind: ["id", "request", "response", "failure", "match"])
    }
    entry.item.text = members.text
    if let id = (takesTheirs ? our : their).member("id"), members.member("id")?.tokens == id.tokens {
      entry.id = (takesTheirs ? ours : theirs).id
    }
    return entry
  }
}

/// Determines the order of merged interactions.
enum MergeOrder {
  /// Returns our order with their additional interactions inserted, or their order if only they have changed it.
  ///
  /// An additional interaction is inserted after its predecessor in their version.
  static func merged(_ ours: [CassetteMerge.Node], _ theirs: [CassetteMerge.Node]) -> [CassetteMerge.Node] {
    let common = Set(ours).intersection(theirs)
    return isAsBefore(ours.filter(common.contains)) && !isAsBefore(theirs.filter(common.contains))
      ? inserted(ours, into: theirs) : inserted(theirs, into: ours)
  }

  /// Returns true if the interactions of the base are in their original order.
  private static func isAsBefore(_ nodes: [CassetteMerge.Node]) -> Bool {
    var last = -1
    for case .base(let index) in nodes {
      if index < last { return false }
      last = index
    }
    return true
  }

  private static func inserted(_ more: [CassetteMerge.Node], into order: [CassetteMerge.Node]) -> [CassetteMerge.Node] {
    let there = Set(order)
    let common = there.intersection(more)
    // Additional nodes by the node that they follow; nil for the beginning.
    var followers: [CassetteMerge.Node?: [CassetteMerge.Node]] = [:]
    var anchor: CassetteMerge.Node?
    for node in more {
      if there.contains(node) { anchor = node } else { followers[anchor, default: []].append(node) }
    }
    var result: [CassetteMerge.Node] = []
    anchor = nil
    for node in order {
      if common.contains(node) {
        result += followers[anchor] ?? []
        anchor = node
      }
      result.append(node)
    }
    return result + (followers[anchor] ?? [])
  }
}
