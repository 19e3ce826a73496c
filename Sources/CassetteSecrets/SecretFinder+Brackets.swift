internal import CassetteShapes
internal import CassetteSystem

/// An index of the brackets in one text, and the step budget for searches around secret names.
///
/// Without the index, each name in a text with thousands of unclosed lists would search to the end of the text.
final class TextBrackets: Sendable {
  private struct State {
    /// The ends of lists and objects, by their beginnings; 0 for those that have none.
    var ends: [Int: Int] = [:]
    /// The places of braces, and the brace that is open behind each of them, or -1.
    var braces: (places: [Int], open: [Int])?
    /// The bytes that were read to find ends.
    var read = 0
    /// The steps that are left.
    var steps: Int
  }

  private let count: Int
  private let state: Locked<State>

  init(_ text: ByteSearch) {
    count = text.count
    state = Locked(State(steps: Self.budget(for: text.count)))
  }

  /// Returns the step budget for a text of `count` bytes.
  static func budget(for count: Int) -> Int { (1 << 20) + 32 * count }

  /// The number of steps and bytes that searches have used; for tests.
  var work: Int { state.withLock { Self.budget(for: count) - $0.steps + $0.read } }

  /// Returns the distance that a search may cover, and deducts it from the remaining budget.
  func reach(_ wanted: Int) -> Int {
    state.withLock { state in
      let reach = min(wanted, state.steps)
      state.steps -= reach
      return reach
    }
  }

  /// Returns unused steps of a search to the budget.
  func giveBack(_ steps: Int) { state.withLock { $0.steps += max(0, steps) } }

  /// The end of the value of JSON that begins at an offset; nil where it is cut off.
  func endOfValue(_ text: ByteSearch, from start: Int) -> Int? {
    state.withLock { Self.endOfValue(text, from: start, &$0.ends, &$0.read) }
  }

  /// Returns the end of a value, with the ends of lists and objects that are known.
  static func endOfValue(_ text: ByteSearch, from start: Int, _ ends: inout [Int: Int], _ read: inout Int) -> Int? {
    var open: [Int] = []
    var at = start
    search: while at < text.count {
      read += 1
      switch text[at] {
      case UInt8(ascii: "\""):
        guard let end = TextEnds.endOfString(text, from: at + 1, UInt8(ascii: "\"")) else { break search }
        read += end - at
        at = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if let end = ends[at] {
          // What is around one that is not closed is not closed either.
          guard end > 0 else { break search }
          at = end - 1
        } else {
          open.append(at)
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let last = open.popLast() else { return at }
        ends[last] = at + 1
      case UInt8(ascii: ","): if open.isEmpty { return at }
      default: break
      }
      at += 1
      if open.isEmpty, [0x22, 0x5d, 0x7d].contains(text[at - 1]) { return at }
    }
    for place in open { ends[place] = 0 }
    return nil
  }

  /// The brace that opens the object that a byte stands in.
  func opening(before start: Int, in text: ByteSearch) -> Int? {
    state.withLock { state in
      let braces = state.braces ?? Self.braces(of: text)
      state.braces = braces
      let next = braces.places.partitioningIndex { $0 >= start }
      guard next > 0, braces.open[next - 1] >= 0 else { return nil }
      return braces.open[next - 1]
    }
  }

  private static func braces(of text: ByteSearch) -> (places: [Int], open: [Int]) {
    var (places, open, stack): ([Int], [Int], [Int]) = ([], [], [])
    for at in 0..<text.count {
      switch text[at] {
      case UInt8(ascii: "{"): stack.append(at)
      case UInt8(ascii: "}"): _ = stack.popLast()
      default: continue
      }
      places.append(at)
      open.append(stack.last ?? -1)
    }
    return (places, open)
  }
}

/// Lists and objects around and behind a place.
extension SecretFinder {
  /// The elements of a list that begins at an offset, and where it ends; nil where it has no end, or very many.
  func elements(of start: Int, in text: ByteSearch) -> (ranges: [Range<Int>], end: Int)? {
    var ranges: [Range<Int>] = []
    var at = start + 1
    while ranges.count <= 512 {
      at = text.skippingSpace(at)
      if text.at(at) == UInt8(ascii: "]") { return (ranges, at + 1) }
      if text.at(at) == UInt8(ascii: ",") {
        at += 1
        continue
      }
      guard let end = endOfValue(text, from: at), end > at else { return nil }
      ranges.append(at..<end)
      at = end
    }
    return nil
  }

  /// The end of the value of JSON that begins at an offset; nil where it is cut off.
  func endOfValue(_ text: ByteSearch, from start: Int) -> Int? {
    (brackets ?? TextBrackets(text)).endOfValue(text, from: start)
  }

  /// The brace that opens the object that a byte stands in, unless it is far.
  func opening(before start: Int, within distance: Int, in text: ByteSearch) -> Int? {
    guard let open = (brackets ?? TextBrackets(text)).opening(before: start, in: text), start - open <= distance
    else { return nil }
    return open
  }

  /// Calls back with each member of an object: its name, and where its value begins; goes on where that says.
  func eachMember(
    of open: Int, in text: ByteSearch, within reach: Int = 64 << 10, _ use: (_ name: Range<Int>, _ value: Int) -> Int?
  ) {
    let reach = brackets?.reach(min(reach, text.count - open)) ?? reach
    let limit = min(text.count, open + reach)
    var depth = 0
    var at = open
    defer { brackets?.giveBack(limit - at) }
    while at < limit {
      switch text[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth <= 0 { return }
      case UInt8(ascii: "\""):
        let end = TextEnds.endOfString(text, from: at + 1, UInt8(ascii: "\"")) ?? limit
        let next = text.skippingSpace(end + 1)
        if depth == 1, next < limit, text[next] == UInt8(ascii: ":") {
          let value = text.skippingSpace(next + 1)
          guard value < limit else { return }
          at = use(at + 1..<end, value) ?? value
          continue
        }
        at = min(end, limit)
      default: break
      }
      at += 1
    }
  }
}
