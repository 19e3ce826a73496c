/// Compares a sent with a recorded JSON document, and finds the values that differ.
package struct JSONComparison: ~Copyable {
  /// A difference between the documents.
  package struct Found {
    /// The path of the difference.
    package var path: [JSONPath.Step]
    /// The value in the sent document; nil if it is missing.
    package var sent: JSONTree.Node?
    /// The value in the recorded document; nil if it is missing.
    package var recorded: JSONTree.Node?
  }

  /// A closure that returns true if two different values at a path are to be treated as equal.
  package typealias Leniency = (_ path: [JSONPath.Step], _ sent: JSONTree.Node, _ recorded: JSONTree.Node) -> Bool

  /// A closure that returns, for a name in the recorded document, a test for equivalent names; nil if there are no
  /// others.
  package typealias NameLeniency = (_ recorded: [UInt8]) -> ((_ sent: [UInt8]) -> Bool)?

  /// The document that was sent.
  let sent: JSONTree
  /// The document that was recorded.
  let recorded: JSONTree
  /// The differences, in the order of the recorded document.
  package private(set) var found: [Found] = []
  /// The remaining number of comparisons; at zero, the rest is not compared.
  package private(set) var left: Int
  private let limit: Int
  private let tolerance: JSONTolerance
  /// The offsets of ignored values in both documents.
  private let ignored: (sent: Set<Int>, recorded: Set<Int>)
  private let forgives: Leniency?
  private let standsFor: NameLeniency?
  /// The path of the current values.
  private var path: [JSONPath.Step] = []

  /// Creates a comparison.
  ///
  /// - `limit`: The maximum number of differences.
  /// - `left`: The maximum number of comparisons, which can be quadratic for arrays in any order.
  /// - `forgives`: Decides about different values, except two objects or two arrays. Default: all are differences.
  /// - `standsFor`: Finds equivalent names for members without a partner of the same name. Default: there are none.
  package init(
    sent: JSONTree, recorded: JSONTree, limit: Int, tolerance: JSONTolerance, left: Int,
    forgives: Leniency? = nil, standsFor: NameLeniency? = nil
  ) {
    let ignored =
      tolerance.ignored.isEmpty ? ([], []) : (tolerance.ignoredPlaces(in: sent), tolerance.ignoredPlaces(in: recorded))
    self.init(sent, recorded, limit, tolerance, ignored, left, forgives, standsFor)
  }

  private init(
    _ sent: JSONTree, _ recorded: JSONTree, _ limit: Int, _ tolerance: JSONTolerance,
    _ ignored: (sent: Set<Int>, recorded: Set<Int>), _ left: Int, _ forgives: Leniency?, _ standsFor: NameLeniency?
  ) {
    self.sent = sent
    self.recorded = recorded
    self.limit = limit
    self.tolerance = tolerance
    self.ignored = ignored
    self.left = left
    self.forgives = forgives
    self.standsFor = standsFor
  }

  /// Compares the documents.
  package mutating func run() { compare(sent.root, recorded.root) }

  private mutating func compare(_ left: JSONTree.Node, _ right: JSONTree.Node) {
    self.left -= 1
    guard goesOn, !isIgnored(left, right) else { return }
    switch (left.kind, right.kind) {
    case (.object(let left), .object(let right)):
      compareMembers(left, right)
    case (.array(let left), .array(let right)) where tolerance.allowsAnyOrder:
      compareInAnyOrder(left, right)
    case (.array(let left), .array(let right)):
      let count = tolerance.allowsExtra ? min(left.count, right.count) : left.count
      for index in 0..<max(count, right.count) {
        guard goesOn else { return }
        path.append(.element(index))
        compare(index < count ? left[index] : nil, index < right.count ? right[index] : nil)
        path.removeLast()
      }
    default:
      if !areEqual(left, right), !(forgives?(path, left, right) ?? false) { add(left, right) }
    }
  }

  private var goesOn: Bool { left > 0 && found.count < limit }

  private mutating func compare(_ left: JSONTree.Node?, _ right: JSONTree.Node?) {
    if let left, let right { compare(left, right) } else { add(left, right) }
  }

  private func isIgnored(_ left: JSONTree.Node?, _ right: JSONTree.Node?) -> Bool {
    guard !tolerance.ignored.isEmpty else { return false }
    return left.map { ignored.sent.contains($0.range.lowerBound) } ?? false
      || right.map { ignored.recorded.contains($0.range.lowerBound) } ?? false
  }

  // MARK: Arrays

  /// Pairs each element with an equal one; the remaining elements are differences.
  private mutating func compareInAnyOrder(_ left: [JSONTree.Node], _ right: [JSONTree.Node]) {
    // Most equal elements have the same source text, which avoids comparing all pairs.
    var spelt: [ArraySlice<UInt8>: [Int]] = [:]
    for index in left.indices.reversed() { spelt[sent.bytes[left[index].range], default: []].append(index) }
    var isPaired = [Bool](repeating: false, count: left.count)
    var unmet: [Int] = []
    for (index, wanted) in right.enumerated() {
      if let partner = spelt[recorded.bytes[wanted.range]]?.popLast() {
        isPaired[partner] = true
      } else {
        unmet.append(index)
      }
    }
    var lonely: [Int] = []
    var first = 0
    for index in unmet {
      while first < left.count, isPaired[first] { first += 1 }
      path.append(.element(index))
      var candidate = first
      var isFound = false
      while candidate < left.count, self.left > 0, !isFound {
        self.left -= 1
        isFound = !isPaired[candidate] && isEqual(left[candidate], right[index])
        if isFound { isPaired[candidate] = true } else { candidate += 1 }
      }
      path.removeLast()
      if !isFound { lonely.append(index) }
    }
    for index in lonely { add(nil, right[index], at: .element(index)) }
    guard !tolerance.allowsExtra else { return }
    for index in left.indices where !isPaired[index] { add(left[index], nil, at: .element(index)) }
  }

  private mutating func isEqual(_ left: JSONTree.Node, _ right: JSONTree.Node) -> Bool {
    var trial = JSONComparison(sent, recorded, 1, tolerance, ignored, self.left, forgives, standsFor)
    trial.path = path
    trial.compare(left, right)
    self.left = trial.left
    return trial.found.isEmpty && self.left > 0
  }

  // MARK: Objects

  /// Pairs members by name; members with the same name are paired in order.
  private mutating func compareMembers(_ left: [JSONTree.Member], _ right: [JSONTree.Member]) {
    self.left -= left.count + right.count
    if left.count == right.count, zip(left, right).allSatisfy({ $0.name == $1.name }) {
      for (member, partner) in zip(left, right) {
        guard goesOn else { return }
        path.append(.member(member.text))
        compare(member.value, partner.value)
        path.removeLast()
      }
      return
    }
    var unpaired: [[UInt8]: [JSONTree.Node]] = [:]
    for member in left.reversed() { unpaired[member.name, default: []].append(member.value) }
    var unmet: [(member: JSONTree.Member, isName: ([UInt8]) -> Bool)] = []
    for member in right {
      if let partner = unpaired[member.name]?.popLast() {
        compare(partner, member.value, at: .member(member.text))
      } else if let isName = standsFor?(member.name) {
        unmet.append((member, isName))
      } else {
        add(nil, member.value, at: .member(member.text))
      }
    }
    for (member, isName) in unmet {
      self.left -= unpaired.count
      if goesOn, let name = unpaired.first(where: { !$1.isEmpty && isName($0) })?.key,
        let partner = unpaired[name]?.popLast()
      {
        compare(partner, member.value, at: .member(member.text))
      } else {
        add(nil, member.value, at: .member(member.text))
      }
    }
    guard !tolerance.allowsExtra else { return }
    for member in left {
      guard let last = unpaired[member.name]?.popLast() else { continue }
      add(last, nil, at: .member(member.text))
    }
  }

  // MARK: Values

  private mutating func areEqual(_ left: JSONTree.Node, _ right: JSONTree.Node) -> Bool {
    self.left -= min(left.range.count, right.range.count) / 16
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

  private mutating func compare(_ left: JSONTree.Node, _ right: JSONTree.Node, at step: JSONPath.Step) {
    path.append(step)
    compare(left, right)
    path.removeLast()
  }

  private mutating func add(_ left: JSONTree.Node?, _ right: JSONTree.Node?, at step: JSONPath.Step) {
    path.append(step)
    add(left, right)
    path.removeLast()
  }

  private mutating func add(_ left: JSONTree.Node?, _ right: JSONTree.Node?) {
    guard goesOn, !isIgnored(left, right) else { return }
    found.append(Found(path: path, sent: left, recorded: right))
  }
}
