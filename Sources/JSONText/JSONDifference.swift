/// A place where two JSON texts hold different values.
///
/// Values count, not their spelling: member order, white space and escapes are irrelevant, `1.0` is `1`, and integers of
/// any size differ when a digit does.
public struct JSONDifference: Equatable, Sendable {
  /// Where, as in `$.items[0].name`.
  public var path: String
  /// The value in the first text, as written there but shortened; nil when it is missing.
  public var sent: String?
  /// The value in the second text, as written there but shortened; nil when it is missing.
  public var recorded: String?

  /// Where two texts differ, in the order of the second.
  ///
  /// When either is not JSON, the texts differ as a whole unless their bytes are equal.
  ///
  /// - Parameters:
  ///   - sent: A text.
  ///   - recorded: The text to compare it with.
  /// - Returns: The differences, at most a hundred; none when the values are equal.
  public static func between(_ sent: [UInt8], _ recorded: [UInt8]) -> [JSONDifference] {
    between(sent, recorded, limit: 100)
  }

  /// Whether two texts hold the same value.
  ///
  /// - Parameters:
  ///   - sent: A text.
  ///   - recorded: The text to compare it with.
  /// - Returns: True when the values are equal, or the bytes are.
  public static func equal(_ sent: [UInt8], _ recorded: [UInt8]) -> Bool {
    between(sent, recorded, limit: 1).isEmpty
  }

  /// Where a text differs from what is wanted of it, by more than is allowed.
  ///
  /// - Parameters:
  ///   - sent: A text.
  ///   - wanted: What it should say.
  ///   - tolerance: What may be otherwise.
  /// - Returns: The differences, at most a hundred.
  package static func between(_ sent: [UInt8], _ wanted: [UInt8], allowing tolerance: JSONTolerance) -> [JSONDifference]
  {
    between(sent, wanted, limit: 100, tolerance)
  }

  private static func between(
    _ sent: [UInt8], _ recorded: [UInt8], limit: Int, _ tolerance: JSONTolerance = JSONTolerance()
  ) -> [JSONDifference] {
    if sent == recorded { return [] }
    guard let left = JSONTree(sent), let right = JSONTree(recorded) else {
      return [
        JSONDifference(path: "$", sent: excerpt(sent[...]), recorded: excerpt(recorded[...]))
      ]
    }
    var comparison = Comparison(sent: left, recorded: right, limit: limit, tolerance: tolerance)
    comparison.compare(left.root, right.root)
    return comparison.differences
  }

  /// The beginning of a value, with an ellipsis when there is more.
  static func excerpt(_ bytes: ArraySlice<UInt8>) -> String {
    let most = 120
    guard bytes.count > most else { return String(decoding: bytes, as: UTF8.self) }
    var end = bytes.startIndex + most
    while end > bytes.startIndex, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self) + "…"
  }
}

/// What two JSON texts may differ in and still count as equal.
package struct JSONTolerance: Sendable {
  /// Values that play no part.
  package var ignored: [JSONPlace]
  /// Whether members and elements may be there that are not wanted.
  package var allowsExtra: Bool
  /// Whether the elements of an array may come in any order.
  package var allowsAnyOrder: Bool

  package init(ignored: [JSONPlace] = [], allowsExtra: Bool = false, allowsAnyOrder: Bool = false) {
    self.ignored = ignored
    self.allowsExtra = allowsExtra
    self.allowsAnyOrder = allowsAnyOrder
  }
}

private struct Comparison {
  let sent: JSONTree
  let recorded: JSONTree
  let limit: Int
  let tolerance: JSONTolerance
  var steps: [JSONPath.Step] = []
  var differences: [JSONDifference] = []

  mutating func compare(_ left: JSONTree.Node, _ right: JSONTree.Node) {
    guard differences.count < limit, !isIgnored else { return }
    switch (left.kind, right.kind) {
    case (.object(let left), .object(let right)):
      compareMembers(left, right)
    case (.array(let left), .array(let right)) where tolerance.allowsAnyOrder:
      compareInAnyOrder(left, right)
    case (.array(let left), .array(let right)):
      let left = tolerance.allowsExtra ? Array(left.prefix(right.count)) : left
      for index in 0..<max(left.count, right.count) {
        steps.append(.element(index))
        compare(index < left.count ? left[index] : nil, index < right.count ? right[index] : nil)
        steps.removeLast()
      }
    default:
      if !areEqual(left, right) { add(left, right) }
    }
  }

  private mutating func compare(_ left: JSONTree.Node?, _ right: JSONTree.Node?) {
    if let left, let right { compare(left, right) } else { add(left, right) }
  }

  private var isIgnored: Bool { !tolerance.ignored.isEmpty && tolerance.ignored.contains { $0.holds(steps) } }

  /// Elements pair up with equal ones, each once; what is left over differs.
  private mutating func compareInAnyOrder(_ left: [JSONTree.Node], _ right: [JSONTree.Node]) {
    var unpaired = Array(left.indices)
    var lonely: [Int] = []
    for (index, wanted) in right.enumerated() {
      steps.append(.element(index))
      let partner = unpaired.firstIndex { isEqual(left[$0], wanted) }
      steps.removeLast()
      if let partner { unpaired.remove(at: partner) } else { lonely.append(index) }
    }
    for index in lonely {
      steps.append(.element(index))
      add(nil, right[index])
      steps.removeLast()
    }
    guard !tolerance.allowsExtra else { return }
    for index in unpaired {
      steps.append(.element(index))
      add(left[index], nil)
      steps.removeLast()
    }
  }

  private func isEqual(_ left: JSONTree.Node, _ right: JSONTree.Node) -> Bool {
    var trial = Comparison(sent: sent, recorded: recorded, limit: 1, tolerance: tolerance)
    trial.steps = steps
    trial.compare(left, right)
    return trial.differences.isEmpty
  }

  /// Names pair up; a name that is there twice pairs in order.
  private mutating func compareMembers(_ left: [JSONTree.Member], _ right: [JSONTree.Member]) {
    var unpaired: [[UInt8]: [JSONTree.Node]] = [:]
    for member in left.reversed() { unpaired[member.name, default: []].append(member.value) }
    for member in right {
      let partner = unpaired[member.name]?.popLast()
      steps.append(.member(String(decoding: member.name, as: UTF8.self)))
      compare(partner, member.value)
      steps.removeLast()
    }
    guard !tolerance.allowsExtra else { return }
    for member in left {
      guard let last = unpaired[member.name]?.popLast() else { continue }
      steps.append(.member(String(decoding: member.name, as: UTF8.self)))
      add(last, nil)
      steps.removeLast()
    }
  }

  private func areEqual(_ left: JSONTree.Node, _ right: JSONTree.Node) -> Bool {
    let (left, right) = (sent.bytes[left.range], recorded.bytes[right.range])
    if left == right { return true }
    guard let first = left.first, let second = right.first else { return false }
    let quote = UInt8(ascii: "\"")
    if first == quote, second == quote {
      return JSONTree.text(ofString: left) == JSONTree.text(ofString: right)
    }
    if let left = JSONNumber(left), let right = JSONNumber(right) { return left == right }
    return false
  }

  private mutating func add(_ left: JSONTree.Node?, _ right: JSONTree.Node?) {
    guard differences.count < limit, !isIgnored else { return }
    differences.append(
      JSONDifference(
        path: JSONPath(steps).description,
        sent: left.map { JSONDifference.excerpt(sent.bytes[$0.range]) },
        recorded: right.map { JSONDifference.excerpt(recorded.bytes[$0.range]) }))
  }
}
