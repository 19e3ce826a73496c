internal import CassetteEditing

/// The pairing of the interactions in two versions of a cassette.
enum InteractionPairs {
  /// Finds each new one's old: by id and request, by id (which two may share by chance) if `byID`, then by request.
  static func pair(_ old: [CassetteText.Entry], _ new: [CassetteText.Entry], byID: Bool = true) -> [Int?] {
    var pairs = [Int?](repeating: nil, count: new.count)
    var isTaken = [Bool](repeating: false, count: old.count)

    /// Pairs those of one key in their order.
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
    // The very same text, wherever it stands.
    match { $0.tokens }
    if byID { match { $0.hasID ? $0.id : nil } }
    match { $0.request }
    return pairs
  }
}
