import CassetteJSON
internal import CassetteSystem

/// The ids of one cassette: which are taken, and readable new ones.
///
/// Open addressing over bytes kept end to end: a `Set<String>` would take longer than reading the file does.
package struct CassetteFileIDs {
  private struct Entry {
    var range: Range<UInt32>
    var hash: UInt32
    /// The number the next id derived from this one tries first.
    var next: UInt32 = 2
  }

  /// Every id, one after the other.
  package private(set) var text: [UInt8] = []
  private var entries: [Entry] = []
  /// Entries by hash, counted from one; 0 is free.
  private var slots: [UInt32]

  package init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = [UInt32](repeating: 0, count: size)
    entries.reserveCapacity(capacity)
    text.reserveCapacity(capacity * 24)
  }

  /// Takes an id; false when it is taken.
  package mutating func insert(_ id: Span<UInt8>) -> Bool {
    let start = text.count
    text.append(id, 0..<id.count)
    return commit(from: start) == nil
  }

  /// Takes `get-users-octocat` of method and path, or `get-users-octocat-2` if that is taken, and tells its place in
  /// `text`.
  package mutating func derive(method: Span<UInt8>, url: Span<UInt8>) -> Range<Int> {
    let start = text.count
    Self.appendSlug(method, 0..<method.count, to: &text, from: start)
    Self.appendSlug(url, Self.path(in: url), to: &text, from: start)
    if text.count == start { text += "interaction".utf8 }
    if let taken = commit(from: start) {
      let base = entries[taken].range
      while true {
        let number = entries[taken].next
        entries[taken].next += 1
        // The base stays where the entry has it: only the slug was taken back.
        for at in base { text.append(text[Int(at)]) }
        text += "-\(number)".utf8
        if commit(from: start) == nil { break }
      }
    }
    return start..<text.count
  }

  /// Keeps the text from `start` on as an id, or takes it back and gives the entry that has it already.
  private mutating func commit(from start: Int) -> Int? {
    let hash = text[start...].stableHash
    let short = UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    if entries.count * 2 >= slots.count { grow() }
    var slot = Int(short) & (slots.count - 1)
    while slots[slot] != 0 {
      let index = Int(slots[slot]) - 1
      if entries[index].hash == short, isSame(entries[index].range, from: start) {
        text.removeLast(text.count - start)
        return index
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    entries.append(Entry(range: UInt32(start)..<UInt32(text.count), hash: short))
    slots[slot] = UInt32(entries.count)
    return nil
  }

  private func isSame(_ range: Range<UInt32>, from start: Int) -> Bool {
    let span = text.span
    return span.extracting(Int(range.lowerBound)..<Int(range.upperBound))
      .equals(span.extracting(start..<text.count))
  }

  private mutating func grow() {
    slots = [UInt32](repeating: 0, count: slots.count * 2)
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.hash) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = UInt32(index + 1)
    }
  }

  /// The path of a URL: without its origin, its query.
  private static func path(in url: Span<UInt8>) -> Range<Int> {
    var start = CassetteFileGrammar.authorityStart(url) ?? 0
    if start > 0 {
      while start < url.count, url[start] != UInt8(ascii: "/"), url[start] != UInt8(ascii: "?") { start += 1 }
    }
    var end = start
    while end < url.count, url[end] != UInt8(ascii: "?") { end += 1 }
    return start..<end
  }

  /// Appends the letters and digits in lower case, with a hyphen for any run of others, eighty characters at most.
  private static func appendSlug(_ bytes: Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8], from start: Int) {
    var needsHyphen = text.count > start
    var at = range.lowerBound
    while at < range.upperBound, text.count - start < 80 {
      let byte = bytes[at]
      at += 1
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if needsHyphen { text.append(UInt8(ascii: "-")) }
        needsHyphen = false
        text.append(byte < 0x41 ? byte : byte | 0x20)
      case UInt8(ascii: "%"):
        // An encoded byte is one other character, not two digits.
        at += 2
        fallthrough
      default:
        needsHyphen = text.count > start
      }
    }
  }
}
