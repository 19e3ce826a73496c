import CassetteSystem
import TestSupport
import Testing

@testable import CassetteSecrets

@Suite struct KeywordAutomatonTests {
  private struct Hit: Hashable, Comparable {
    var end: Int
    var word: Int
    static func < (one: Hit, other: Hit) -> Bool { (one.end, one.word) < (other.end, other.word) }
  }

  private func hits(_ words: [[UInt8]], _ text: [UInt8], _ part: Range<Int>? = nil) -> [Hit] {
    var hits: [Hit] = []
    text.searching { bytes in
      KeywordAutomaton(words).scan(bytes, part ?? 0..<bytes.count) { hits.append(Hit(end: $1, word: $0)) }
    }
    return hits
  }

  private func naive(_ words: [[UInt8]], _ text: [UInt8], _ part: Range<Int>) -> [Hit] {
    func folded(_ bytes: some Sequence<UInt8>) -> [UInt8] { bytes.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 } }
    var hits: [Hit] = []
    for end in part.indices.map({ $0 + 1 }) {
      for (word, bytes) in words.enumerated() where !bytes.isEmpty && end - bytes.count >= part.lowerBound {
        if folded(text[(end - bytes.count)..<end]) == folded(bytes) { hits.append(Hit(end: end, word: word)) }
      }
    }
    return hits
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `the automaton finds the same words as a search for each word`(_ seed: UInt64) {
    var random = Seeded(seed)
    func bytes(_ count: ClosedRange<Int>, of letters: String) -> [UInt8] {
      let letters = Array(letters.utf8)
      return (0..<Int.random(in: count, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
    }
    // A small alphabet, so that words overlap and have common prefixes.
    let letters = ["ab", "abAB_", "abcdefgh-0123é\u{0}"][Int(seed % 3)]
    let words = (0..<Int.random(in: 1...30, using: &random)).map { _ in bytes(0...6, of: letters) }
    let text = bytes(0...400, of: letters + "xyz")
    let lower = Int.random(in: 0...text.count, using: &random)
    let part = lower..<Int.random(in: lower...text.count, using: &random)
    #expect(hits(words, text).sorted() == naive(words, text, 0..<text.count))
    #expect(hits(words, text, part).sorted() == naive(words, text, part))
  }

  @Test func `words that end at the same offset are found longest first`() {
    let words = ["he", "she", "hers", "e"].map { Array($0.utf8) }
    #expect(hits(words, Array("uSHErs".utf8)).map(\.word) == [1, 0, 3, 2])
  }

  @Test func `an automaton without words finds nothing`() {
    #expect(hits([], Array("text".utf8)).isEmpty)
    #expect(hits([[]], Array("text".utf8)).isEmpty)
  }
}
