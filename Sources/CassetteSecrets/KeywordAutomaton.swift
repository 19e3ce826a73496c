package import CassetteSystem

/// Finds many words in one pass over the input, ignoring case (Aho and Corasick 1975).
///
/// A step takes two loads for any number of words. Tests run in debug builds, therefore the loop uses only
/// pointers.
package struct KeywordAutomaton: Sendable {
  /// The column of each byte; bytes that occur in no word share a column.
  private var columns = [UInt8](repeating: 0, count: 256)
  private var width = 1
  /// The offset of the next state's row, with `endsHere` set if a word ends there.
  private var next: [UInt32]
  /// For each state, where its words start in `ends`; the words that end there, the longest first.
  private var starts: [Int32] = []
  private var ends: [Int32] = []
  private static let endsHere: UInt32 = 1 << 31

  /// Creates an automaton that finds the given words; an empty word is never found.
  package init(_ keywords: [[UInt8]]) {
    let keywords = keywords.map { $0.map(SecretPattern.folded) }
    for byte in keywords.joined() where columns[Int(byte)] == 0 {
      columns[Int(byte)] = UInt8(truncatingIfNeeded: width)
      width += 1
    }
    for letter in UInt8(ascii: "a")...UInt8(ascii: "z") { columns[Int(letter - 0x20)] = columns[Int(letter)] }
    next = [UInt32](repeating: 0, count: width)
    var words: [[Int]] = [[]]
    insert(keywords, &words)
    link(&words)
    for words in words {
      starts.append(Int32(ends.count))
      ends += words.map { Int32($0) }
    }
    starts.append(Int32(ends.count))
  }

  /// Adds the words level by level, so that the states near the root, where a scan mostly stays, are adjacent.
  private mutating func insert(_ keywords: [[UInt8]], _ words: inout [[Int]]) {
    var states = [Int](repeating: 0, count: keywords.count)
    for depth in 0..<(keywords.map(\.count).max() ?? 0) {
      for (word, bytes) in keywords.enumerated() where depth < bytes.count {
        let place = states[word] * width + Int(columns[Int(bytes[depth])])
        if next[place] == 0 {
          next[place] = UInt32(words.count)
          words.append([])
          next.append(contentsOf: repeatElement(0, count: width))
        }
        states[word] = Int(next[place])
        if depth + 1 == bytes.count { words[states[word]].append(word) }
      }
    }
  }

  /// Links each state to its fallback: the longest suffix of the bytes read that is a prefix of a word.
  private mutating func link(_ words: inout [[Int]]) {
    var fallback = [Int](repeating: 0, count: words.count)
    let width = width
    next.withUnsafeMutableBufferPointer { next in
      // States are numbered level by level, so that the fallback of a state is complete before the state is.
      for state in 0..<words.count {
        let other = fallback[state]
        if state > 0 { words[state] += words[other] }
        for column in 0..<width {
          let place = state * width + column
          let child = Int(next[place])
          let detour = state == 0 ? 0 : Int(next[other * width + column])
          if child == 0 { next[place] = UInt32(detour) } else { fallback[child] = detour }
        }
      }
      for place in next.indices {
        let state = Int(next[place])
        next[place] = UInt32(state * width) | (words[state].isEmpty ? 0 : Self.endsHere)
      }
    }
  }

  /// Calls a closure with the index and the end of each word that lies completely in a part of the input.
  ///
  /// Words are reported in the order of their ends, and longer words first if they end at the same offset.
  package func scan(_ text: ByteSearch, _ range: Range<Int>, _ hit: (_ keyword: Int, _ end: Int) -> Void) {
    text.uncheckedBytes(in: range) { bytes in
      columns.withUnsafeBufferPointer { columns in
        next.withUnsafeBufferPointer { next in
          guard let columns = columns.baseAddress, let next = next.baseAddress else { return }
          var (row, at) = (0, 0)
          while at < range.count {
            let entry = (next + (row + Int((columns + Int((bytes + at).pointee)).pointee))).pointee
            at += 1
            row = Int(entry & ~Self.endsHere)
            if entry < Self.endsHere { continue }
            let state = row / width
            for place in Int(starts[state])..<Int(starts[state + 1]) { hit(Int(ends[place]), range.lowerBound + at) }
          }
        }
      }
    }
  }
}
