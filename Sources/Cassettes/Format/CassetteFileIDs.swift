internal import CassetteSystem

/// The ids of one cassette: which are taken, and readable new ones.
package struct CassetteFileIDs {
  /// The ids that are taken, and the number that the next one derived from each tries first.
  private var taken: [[UInt8]: Int] = [:]

  package init(capacity: Int) { taken.reserveCapacity(capacity) }

  /// Takes an id; false when it is taken.
  package mutating func insert(_ id: Span<UInt8>) -> Bool { take([UInt8](id)) }

  /// Takes `get-users-octocat` of method and path, or `get-users-octocat-2` if that is taken, and returns it.
  package mutating func derive(method: Span<UInt8>, url: Span<UInt8>) -> [UInt8] {
    var base: [UInt8] = []
    Self.appendSlug(method, 0..<method.count, to: &base)
    Self.appendSlug(url, Self.path(in: url), to: &base)
    if base.isEmpty { base += "interaction".utf8 }
    var id = base
    while !take(id) {
      id = base + "-\(taken[base, default: 2])".utf8
      taken[base, default: 2] += 1
    }
    return id
  }

  private mutating func take(_ id: [UInt8]) -> Bool {
    guard taken[id] == nil else { return false }
    taken[id] = 2
    return true
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
  private static func appendSlug(_ bytes: Span<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) {
    var needsHyphen = !text.isEmpty
    var at = range.lowerBound
    while at < range.upperBound, text.count < 80 {
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
        needsHyphen = !text.isEmpty
      }
    }
  }
}
