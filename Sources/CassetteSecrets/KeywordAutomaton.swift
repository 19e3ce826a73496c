package import CassetteSystem

/// Finds many words in one pass over the input, ignoring case (Aho and Corasick 1975).
///
/// A step takes two loads for any number of words. Tests run in debug builds, therefore the loop uses only
/// pointers.
package struct KeywordAutomaton: Sendable {
  /// The column of each byte; bytes that occur in no word share a column.
  private var columns = [UInt8](repeating: 0, count: 256)
  private var width = 1
  /// The offset of the next state's row.
  private var next: [UInt32]
  /// For each state, the words that end there, the longest first.
  private var words: [[Int]] = [[]]
  /// The offset of the first row of a state at which a word ends; such states have the highest numbers.
  private var firstEnd: UInt32 = 0

  /// Creates an automaton that finds the given words; an empty word is never found.
  package init(_ keywords: [[UInt8]]) {
    let keywords = keywords.map { $0.map(SecretPattern.folded) }
    for byte in keywords.joined() where columns[Int(byte)] == 0 {
      columns[Int(byte)] = UInt8(truncatingIfNeeded: width)
      width += 1
    }
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") { columns[Int(letter - 0x20)] = columns[Int(letter)] }
    next = [UInt32](repeating: 0, count: width)
    for (word, bytes) in keywords.enumerated() where !bytes.isEmpty {
      var state = 0
      for byte in bytes {
        let place = state * width + Int(columns[Int(byte)])
        if next[place] == 0 {
          next[place] = UInt32(words.count)
          words.append([])
          next += repeatElement(0, count: width)
        }
        state = Int(next[place])
      }
      words[state].append(word)
    }
    link()
  }

  /// Links each state, from the shortest text to the longest, to its fallback: the longest suffix of the bytes read that
  /// is a prefix of a word.
  private mutating func link() {
    var fallback = [Int](repeating: 0, count: words.count)
    var queue = [0]
    var first = 0
    while first < queue.count {
      let (state, other) = (queue[first], fallback[queue[first]])
      first += 1
      if state > 0 { words[state] += words[other] }
      for column in 0..<width {
        let detour = state == 0 ? 0 : next[other * width + column]
        let child = Int(next[state * width + column])
        if child == 0 {
          next[state * width + column] = detour
        } else {
          fallback[child] = Int(detour)
          queue.append(child)
        }
      }
    }
    let order = words.indices.filter { words[$0].isEmpty } + words.indices.filter { !words[$0].isEmpty }
    var rows = [UInt32](repeating: 0, count: words.count)
    for (number, state) in order.enumerated() { rows[state] = UInt32(number * width) }
    firstEnd = UInt32(words.count { $0.isEmpty } * width)
    next = order.flatMap { state in next[state * width..<(state + 1) * width].map { rows[Int($0)] } }
    words = order.map { words[$0] }
  }

  /// Calls a closure with the index and the end of each word that lies completely in a part of the input.
  ///
  /// Words are reported in the order of their ends, and longer words first if they end at the same offset.
  package func scan(_ text: ByteSearch, _ range: Range<Int>, _ hit: (_ keyword: Int, _ end: Int) -> Void) {
    text.uncheckedBytes(in: range) { bytes in
      columns.withUnsafeBufferPointer { columns in
        next.withUnsafeBufferPointer { next in
          guard let columns = columns.baseAddress, let next = next.baseAddress else { return }
          var (row, at): (UInt32, Int) = (0, 0)
          while at < range.count {
            row = (next + Int((columns + Int((bytes + at).pointee)).pointee) + Int(row)).pointee
            at += 1
            if row < firstEnd { continue }
            for word in words[Int(row) / width] { hit(word, range.lowerBound + at) }
          }
        }
      }
    }
  }
}
