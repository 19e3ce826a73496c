import CassetteJSON
internal import CassetteMatching

/// A comparison of two JSON documents: the scalars that differ, and whether there are other differences.
struct JSONWalk {
  /// A scalar with a different value.
  struct Change {
    /// The path of the scalar.
    var path: [JSONPath.Step]
    /// The old value; a string is decoded.
    var old: [UInt8]
    /// The new value; a string is decoded.
    var new: [UInt8]
    /// The old value as written.
    var oldToken: ArraySlice<UInt8>
    /// The range of the new value.
    var range: Range<Int>
    /// True if the value is a rate limit counter: its object has the members `limit` and `remaining`.
    var isOfLimit: Bool
  }

  /// The changes, in the order of the new document.
  private(set) var changes: [Change] = []
  /// True if only scalars differ.
  private(set) var isSameOtherwise = true
  private let old: JSONTree
  private let new: JSONTree
  private var path: [JSONPath.Step] = []

  /// Compares two documents; returns nil if either is not JSON.
  init?(_ old: [UInt8], _ new: [UInt8]) {
    guard let before = JSONTree(old), let after = JSONTree(new) else { return nil }
    self.old = before
    self.new = after
    walk(before.root, after.root, isOfLimit: false)
  }

  private mutating func walk(_ before: JSONTree.Node, _ after: JSONTree.Node, isOfLimit: Bool) {
    switch (before.kind, after.kind) {
    case (.object(let before), .object(let after)):
      var unpaired: [[UInt8]: JSONTree.Node] = [:]
      for member in before { unpaired[member.name] = member.value }
      isSameOtherwise = isSameOtherwise && before.map(\.name) == after.map(\.name)
      let isLimit = [Self.limit, Self.remaining].allSatisfy { unpaired[$0] != nil }
      for member in after {
        guard let partner = unpaired[member.name] else { continue }
        path.append(.member(String(decoding: member.name, as: UTF8.self)))
        walk(partner, member.value, isOfLimit: isLimit)
        path.removeLast()
      }
    case (.array(let before), .array(let after)):
      isSameOtherwise = isSameOtherwise && before.count == after.count
      for (index, pair) in zip(before, after).enumerated() {
        path.append(.element(index))
        walk(pair.0, pair.1, isOfLimit: false)
        path.removeLast()
      }
    case (.scalar, .scalar):
      let (first, second) = (old.bytes[before.range], new.bytes[after.range])
      guard !first.elementsEqual(second) else { return }
      guard Self.kind(first) == Self.kind(second) else {
        isSameOtherwise = false
        return
      }
      changes.append(
        Change(
          path: path, old: Self.text(first), new: Self.text(second), oldToken: first, range: after.range,
          isOfLimit: isOfLimit))
    default: isSameOtherwise = false
    }
  }

  private static let limit = Array("limit".utf8)
  private static let remaining = Array("remaining".utf8)

  /// Returns a code for the kind of scalar: string, literal or number.
  private static func kind(_ token: ArraySlice<UInt8>) -> Int {
    switch token.first {
    case UInt8(ascii: "\""): 0
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): 1
    default: 2
    }
  }

  private static func text(_ token: ArraySlice<UInt8>) -> [UInt8] {
    token.first == UInt8(ascii: "\"") ? JSONTree.text(ofString: token) : Array(token)
  }
}

extension JSONWalk.Change {
  /// True if both values are timestamps.
  var areTimes: Bool { GeneratedValue.seconds(old) != nil && GeneratedValue.seconds(new) != nil }

  /// True if the member's name indicates a value that changes on every request.
  var isNamedVolatile: Bool {
    guard case .member(let name)? = path.last else { return false }
    let plain = name.lowercased().filter { $0 != "_" && $0 != "-" }
    if isOfLimit, ["remaining", "used", "reset"].contains(plain) { return true }
    switch plain {
    case "traceid", "spanid", "correlationid", "nonce", "cfray": return true
    default: return plain.hasSuffix("requestid") || plain.contains("ratelimit")
    }
  }
}
