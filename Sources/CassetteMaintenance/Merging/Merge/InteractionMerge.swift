internal import CassetteRecording
internal import Cassettes

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
