import CassetteJSON
internal import CassetteMatching

/// The scalars that differ between two JSON documents.
struct ScalarChanges {
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
  let list: [Change]
  /// True if the documents differ in nothing else.
  let isSameOtherwise: Bool

  /// Compares two documents; returns nil if either is not JSON.
  init?(from old: [UInt8], to new: [UInt8]) {
    guard let before = JSONTree(old), let after = JSONTree(new) else { return nil }
    var comparison = JSONComparison(
      sent: before, recorded: after, limit: .max, tolerance: JSONTolerance(), left: Int.max >> 1)
    comparison.run()
    let changes = comparison.found.compactMap { found -> Change? in
      guard let one = found.sent, let other = found.recorded, case .scalar = one.kind, case .scalar = other.kind,
        Self.kind(old[one.range]) == Self.kind(new[other.range])
      else { return nil }
      return Change(
        path: found.path, old: Self.text(old[one.range]), new: Self.text(new[other.range]),
        oldToken: old[one.range], range: other.range, isOfLimit: Self.isOfLimit(found.path, in: after))
    }
    list = changes.sorted { $0.range.lowerBound < $1.range.lowerBound }
    isSameOtherwise = changes.count == comparison.found.count
  }

  private static func isOfLimit(_ path: [JSONPath.Step], in tree: JSONTree) -> Bool {
    var node = tree.root
    for step in path.dropLast() {
      switch (step, node.kind) {
      case (.member(let name), _): node = node[name] ?? node
      case (.element(let index), .array(let elements)) where index < elements.count: node = elements[index]
      case (.element, _): return false
      }
    }
    return node["limit"] != nil && node["remaining"] != nil
  }

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

extension ScalarChanges.Change {
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
