/// Returns the word with the smallest edit distance; nil if every word differs too much.
package func nearest(to word: String, among words: [String]) -> String? {
  let written = Array(word.lowercased().utf8.prefix(100))
  var best: (word: String, distance: Int)?
  for candidate in words {
    let meant = Array(candidate.lowercased().utf8.prefix(100))
    let distance = editDistance(written, meant)
    // A third of the letters may differ, or two letters in a short word: `url` for `uri`, `response` for `respnse`.
    let most = min(max(2, meant.count / 3), max(written.count, meant.count) - 1)
    if distance <= most, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.word
}

/// Returns the suggestion `did you mean "WORD"?` with the nearest word; nil if every word differs too much.
package func question(about word: String, among words: [String]) -> String? {
  nearest(to: word, among: words).map { "did you mean \"\($0)\"?" }
}

/// Counts the letters to insert, delete, replace or swap with their neighbor.
private func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...second.count)
  for row in first.indices {
    var current = [row + 1]
    for column in second.indices {
      let isSame = first[row] == second[column]
      var distance = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        distance = min(distance, beforeLast[column - 1] + 1)
      }
      current.append(distance)
    }
    (beforeLast, last) = (last, current)
  }
  return last[second.count]
}
