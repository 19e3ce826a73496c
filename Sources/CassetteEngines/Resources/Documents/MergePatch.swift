extension EditableJSON {
  /// Applies a merge patch (RFC 7396), in time linear in both sizes.
  ///
  /// `null` removes a member, an object is merged recursively, and any other value replaces the old one.
  package mutating func merge(_ patch: EditableJSON) {
    guard case .object(let changes) = patch else {
      self = patch
      return
    }
    var members: [Member] = []
    if case .object(let own) = self { members = own }
    self = .null
    var places: [[UInt8]: Int] = [:]
    for (index, member) in members.enumerated() where places[member.name] == nil { places[member.name] = index }
    var removed: Set<[UInt8]> = []
    for change in changes {
      if change.value.isNull {
        removed.insert(change.name)
        continue
      }
      removed.remove(change.name)
      if let index = places[change.name] {
        members[index].value.merge(change.value)
      } else {
        places[change.name] = members.count
        var value = EditableJSON.null
        value.merge(change.value)
        members.append(Member(change.name, value))
      }
    }
    if !removed.isEmpty { members.removeAll { removed.contains($0.name) } }
    self = .object(members)
  }
}
