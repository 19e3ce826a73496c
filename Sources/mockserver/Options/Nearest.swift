/// The word among `words` that was most likely meant; nil when none is near.
///
/// Near is an edit distance (insert, delete, replace, swap neighbours) of at most a third of the length.
func nearest(to word: String, among words: [String]) -> String? {
  let typed = Array(word.lowercased().utf8)
  let limit = max(1, typed.count / 3)
  let ranked = words.map { (word: $0, distance: distance(typed, Array($0.lowercased().utf8))) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else { return nil }
  return best.word
}

private func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for (row, byte) in left.enumerated() {
    var next = [row + 1]
    for (column, other) in right.enumerated() {
      var least = min(last[column] + (byte == other ? 0 : 1), last[column + 1] + 1, next[column] + 1)
      if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
        least = min(least, beforeLast[column - 1] + 1)
      }
      next.append(least)
    }
    (beforeLast, last) = (last, next)
  }
  return last[right.count]
}
