/// A cassette edited on two branches, generated from a seed, and the expected result of merging them.
struct EditedCassettes {
  /// The edit of an interaction on a branch.
  enum Edit: Equatable {
    case none
    case body(Int)
    case replay(Int)
    case delete
    case layout
  }

  /// The content of a written interaction.
  struct Part {
    var id: String?
    var url: String
    var body: Int
    var delay: Int?
    var isCompact = false
  }

  private(set) var base = ""
  private(set) var ours = ""
  private(set) var theirs = ""
  /// The bodies that the result must contain, without any others.
  private(set) var bodies: [Int] = []
  /// The URLs of interactions changed on both branches.
  private(set) var conflicts: [String] = []
  private var random: Numbers

  init(seed: UInt64) {
    random = Numbers(state: seed &* 0x9e37_79b9_7f4a_7c15 | 1)
    let hasIDs = Bool.random(using: &random)
    var parts: [Part] = []
    for number in 0..<Int.random(in: 0...12, using: &random) {
      // Some requests are repeated. Without ids they are distinguished only by their order.
      let url = hasIDs && Int.random(in: 0..<3, using: &random) == 0 ? "/polled" : "/items/\(number)"
      parts.append(Part(id: hasIDs ? "item-\(number)" : nil, url: url, body: number))
    }
    var (one, other): ([Part], [Part]) = ([], [])
    var next = 1_000
    for part in parts {
      let edits = (edit(&next), edit(&next))
      one += Self.edited(part, edits.0)
      other += Self.edited(part, edits.1)
      expect(part, edits)
    }
    add(to: &one, &other, hasIDs, &next)
    base = text(parts)
    ours = text(one)
    theirs = text(other)
  }

  private mutating func edit(_ next: inout Int) -> Edit {
    next += 1
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return .body(next)
    case 2: return .replay(next)
    case 3: return .delete
    case 4: return .layout
    default: return .none
    }
  }

  private static func edited(_ part: Part, _ edit: Edit) -> [Part] {
    var part = part
    switch edit {
    case .none: break
    case .body(let body): part.body = body
    case .replay(let delay): part.delay = delay
    case .layout: part.isCompact = true
    case .delete: return []
    }
    return [part]
  }

  private mutating func expect(_ part: Part, _ edits: (Edit, Edit)) {
    switch edits {
    case (.delete, .delete), (.delete, .none), (.none, .delete), (.delete, .layout), (.layout, .delete): break
    case (.delete, .body(let body)), (.body(let body), .delete):
      bodies.append(body)
      conflicts.append(part.url)
    case (.delete, .replay), (.replay, .delete):
      bodies.append(part.body)
      conflicts.append(part.url)
    case (.body(let one), .body(let other)):
      bodies += [one, other]
      conflicts.append(part.url)
    case (.replay, .replay):
      bodies += [part.body, part.body]
      conflicts.append(part.url)
    case (.body(let body), _), (_, .body(let body)): bodies.append(body)
    default: bodies.append(part.body)
    }
  }

  private mutating func add(to one: inout [Part], _ other: inout [Part], _ hasIDs: Bool, _ next: inout Int) {
    for number in 0..<Int.random(in: 0...3, using: &random) {
      next += 1
      // Both branches derive the id from the path, so that different queries have the same id.
      one.insert(
        Part(id: hasIDs ? "new-\(number)" : nil, url: "/new?ours=\(number)", body: next),
        at: Int.random(in: 0...one.count, using: &random))
      bodies.append(next)
    }
    for number in 0..<Int.random(in: 0...3, using: &random) {
      next += 1
      other.insert(
        Part(id: hasIDs ? "new-\(number)" : nil, url: "/new?theirs=\(number)", body: next),
        at: Int.random(in: 0...other.count, using: &random))
      bodies.append(next)
    }
    for number in 0..<Int.random(in: 0...2, using: &random) {
      let agree = Bool.random(using: &random)
      next += 2
      let url = "/both/\(number)"
      one.append(Part(id: hasIDs ? "both-\(number)" : nil, url: url, body: next))
      other.append(Part(id: hasIDs ? "both-\(number)" : nil, url: url, body: agree ? next : next + 1))
      bodies += agree ? [next] : [next, next + 1]
      if !agree { conflicts.append(url) }
    }
  }

  private mutating func text(_ parts: [Part]) -> String {
    let list = parts.map { part in
      let id = part.id.map { "\"id\": \"\($0)\", " } ?? ""
      let replay = part.delay.map { ", \"replay\": { \"delay\": \"\($0)ms\" }" } ?? ""
      let response = "\"response\": { \"status\": 200, \"body\": { \"json\": { \"n\": \(part.body) } } }"
      let text = "{ \(id)\"request\": { \"method\": \"GET\", \"url\": \"\(part.url)\" }, \(response)\(replay) }"
      return part.isCompact ? text.filter { $0 != " " } : text
    }
    let lead = ["\n    ", "", " "].randomElement(using: &random) ?? ""
    return "{\n  \"cassette\": 1,\n  \"interactions\": [\(list.map { lead + $0 }.joined(separator: ","))\n  ]\n}\n"
  }
}

/// Random numbers from a seed.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  /// SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
