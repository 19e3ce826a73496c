internal import CassetteSystem

/// The ids in use in a cassette, and a generator of readable new ones.
package struct CassetteFileIDs {
  /// The ids in use, each with the number to append if the same id is derived again.
  private var taken: [[UInt8]: Int] = [:]

  package init(capacity: Int) { taken.reserveCapacity(capacity) }

  /// Adds an id; returns false if the id is already in use.
  package mutating func insert(_ id: Span<UInt8>) -> Bool { take([UInt8](id)) }

  /// Adds and returns an id derived from method and path, such as `get-users-octocat`, or `get-users-octocat-2` if that
  /// is in use.
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

  /// Returns the range of the path in a URL, without origin and query.
  private static func path(in url: Span<UInt8>) -> Range<Int> {
    var start = CassetteFileGrammar.authorityStart(url) ?? 0
    if start > 0 {
      while start < url.count, url[start] != UInt8(ascii: "/"), url[start] != UInt8(ascii: "?") { start += 1 }
    }
    var end = start
    while end < url.count, url[end] != UInt8(ascii: "?") { end += 1 }
    return start..<end
  }

  /// Appends the letters and digits in lower case, with a hyphen for each run of other characters, up to a total of 80
  /// characters.
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
        // A percent-encoded byte counts as one other character, not as two digits.
        at += 2
        fallthrough
      default:
        needsHyphen = !text.isEmpty
      }
    }
  }
}
