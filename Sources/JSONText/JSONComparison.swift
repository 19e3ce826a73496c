/// The comparison of two JSON values on the way through them.
struct JSONComparison {
  let sent: JSONTree
  let recorded: JSONTree
  let limit: Int
  let tolerance: JSONTolerance
  /// How many more values are compared: elements in any order are compared each with each.
  var left: Int
  /// Whether a difference does not count.
  let forgives: (JSONDifference) -> Bool
  var steps: [JSONPath.Step] = []
  var differences: [JSONDifference] = []
  /// Whether only equality is asked: then nothing is said about a difference.
  private var isTrial = false
  private var hasFailed = false

  init(
    sent: JSONTree, recorded: JSONTree, limit: Int, tolerance: JSONTolerance, left: Int,
    forgives: @escaping (JSONDifference) -> Bool
  ) {
    self.sent = sent
    self.recorded = recorded
    self.limit = limit
    self.tolerance = tolerance
    self.left = left
    self.forgives = forgives
  }

  mutating func compare(_ left: JSONTree.Node, _ right: JSONTree.Node) {
    guard goesOn, !isIgnored else { return }
    self.left -= 1 + tolerance.ignored.count
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

  private var goesOn: Bool { left > 0 && !hasFailed && differences.count < limit }

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

  private mutating func isEqual(_ one: JSONTree.Node, _ other: JSONTree.Node) -> Bool {
    var trial = self
    trial.isTrial = true
    trial.differences = []
    trial.hasFailed = false
    trial.compare(one, other)
    left = trial.left
    return !trial.hasFailed && left > 0
  }

  /// Names pair up; a name that is there twice pairs in order.
  private mutating func compareMembers(_ left: [JSONTree.Member], _ right: [JSONTree.Member]) {
    self.left -= left.count + right.count
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

  private mutating func add(_ left: JSONTree.Node?, _ right: JSONTree.Node?) {
    guard goesOn, !isIgnored else { return }
    hasFailed = isTrial
    if isTrial { return }
    let difference = JSONDifference(
      path: JSONPath(steps).description,
      sent: left.map { JSONDifference.excerpt(sent.bytes[$0.range]) },
      recorded: right.map { JSONDifference.excerpt(recorded.bytes[$0.range]) })
    if !forgives(difference) { differences.append(difference) }
  }
}
