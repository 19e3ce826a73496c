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
