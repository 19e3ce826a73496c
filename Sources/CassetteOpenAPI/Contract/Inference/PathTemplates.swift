/// The path templates of an API, derived from the segments that vary.
///
/// `/users/7/posts` becomes `/users/{userId}/posts`.
struct PathTemplates {
  /// A node in the tree of paths, with its literal children and at most one template.
  private final class Node {
    var words: [String: Node] = [:]
    var template: Node?
    var name = ""
  }

  /// The evidence that a segment is a literal or a value.
  private struct Evidence {
    var isValueLike = false
    var varying = 0
    var constant = 0
    /// True if a response contains the segment as a value.
    var isOwn = false
    /// The distinct values of the templates before it in the path.
    var parents: Set<[String]> = []
    var shapes: Set<String> = []
    var next: Set<String> = []
    var hasValueNext = false
    var isTemplated = false
  }

  private let root = Node()
  private let places: [String: (varying: Int, constant: Int)]

  init(_ witnesses: PathWitnesses) {
    let all = witnesses.all.keys.sorted().compactMap { witnesses.all[$0] }
    places = witnesses.places
    grow(root, all, 0, [], [])
  }

  /// Returns the template of an observed path.
  func template(of path: String) -> String {
    var node: Node? = root
    var parts: [String] = []
    var taken: [String: Int] = [:]
    for segment in PathWitnesses.segments(of: path) {
      if let word = node?.words[segment] {
        parts.append(segment)
        node = word
      } else if let template = node?.template {
        let count = (taken[template.name] ?? 0) + 1
        taken[template.name] = count
        parts.append(count == 1 ? "{\(template.name)}" : "{\(template.name)\(count)}")
        node = template
      } else {
        parts.append(segment)
        node = nil
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  // MARK: Building the tree

  private func grow(
    _ node: Node, _ witnesses: [PathWitnesses.Witness], _ depth: Int, _ templated: [Int], _ words: [String]
  ) {
    let here = witnesses.filter { $0.segments.count > depth }
    guard !here.isEmpty, depth < 64 else { return }
    let tokens = Dictionary(grouping: here) { $0.segments[depth] }
    let word = templated.last == depth - 1 ? nil : words.last
    let values = self.values(tokens, depth, templated, after: word)
    for token in tokens.keys.sorted() where !values.contains(token) {
      let child = Node()
      node.words[token] = child
      grow(child, tokens[token] ?? [], depth + 1, templated, words + [token])
    }
    guard !values.isEmpty else { return }
    let child = Node()
    node.template = child
    child.name = TemplateName.name(after: words.last ?? "", isDirect: word != nil)
    grow(child, here.filter { values.contains($0.segments[depth]) }, depth + 1, templated + [depth], words)
  }

  /// Returns the segments of a node that are values.
  private func values(
    _ tokens: [String: [PathWitnesses.Witness]], _ depth: Int, _ templated: [Int], after word: String?
  ) -> Set<String> {
    var evidence: [String: Evidence] = [:]
    for (token, witnesses) in tokens where !token.isEmpty {
      evidence[token] = Self.evidence(token, witnesses, depth, templated)
    }
    let scores = evidence.reduce(into: [:]) { $0[$1.key] = score($1.value, $1.key, depth) }
    var values = Set(scores.filter { $0.value >= 2 }.keys)
    let known = values.filter { !$0.contains("{") }.compactMap { evidence[$0] }
    let wordlike = known.count { !$0.isValueLike }
    // If all known values are numbers, a segment that looks like a word is a literal: `/releases/7`,
    // `/releases/latest`.
    if depth > 0, known.count > 1, wordlike == 0 { return values }
    // If there are many values that look like words, and no certain literal, all segments are values.
    let isWord = evidence.values.contains { $0.isTemplated || $0.constant > 0 && $0.varying == 0 }
    if depth > 0, wordlike >= 8, !isWord { return Set(evidence.keys) }
    // Undecided segments are values if they resemble known values.
    let below = known.reduce(into: Set<String>()) { $0.formUnion($1.next) }
    let shapes = known.reduce(into: Set<String>()) { $0.formUnion($1.shapes) }
    let open = scores.filter { (-2...1).contains($0.value) }.keys.sorted()
    let areValues = scores.count { $0.value < -2 } * 2 <= wordlike && !known.isEmpty
    var carriers: [String: Int] = [:]
    for token in open { for shape in evidence[token]?.shapes ?? [] { carriers[shape, default: 0] += 1 } }
    for token in open {
      guard let one = evidence[token] else { continue }
      let isLike = !one.shapes.isDisjoint(with: shapes) || !one.next.isDisjoint(with: below)
      let hasTwin = depth > 0 && one.shapes.contains { carriers[$0, default: 0] > 1 }
      let isElement = word.map(TemplateName.isPlural) ?? false && !TemplateName.isPlural(token)
      if isLike || hasTwin || isElement || areValues { values.insert(token) }
    }
    return values
  }

  private static func evidence(
    _ token: String, _ witnesses: [PathWitnesses.Witness], _ depth: Int, _ templated: [Int]
  ) -> Evidence {
    var evidence = Evidence(isValueLike: SegmentForm.isValue(token, depth))
    for witness in witnesses {
      if witness.varying.contains(depth) { evidence.varying += 1 }
      if witness.constant.contains(depth) { evidence.constant += 1 }
      if witness.own.contains(depth) { evidence.isOwn = true }
      evidence.parents.insert(templated.map { witness.segments[$0] })
      if witness.segments.count == depth + 1 {
        evidence.shapes.formUnion(witness.shapes)
      } else {
        let next = witness.segments[depth + 1]
        if next.hasPrefix("{") { evidence.isTemplated = true }
        if SegmentForm.isValue(next, depth + 1) { evidence.hasValueNext = true } else { evidence.next.insert(next) }
      }
    }
    return evidence
  }

  /// Returns a score: at least 2 for a value, less than -2 for a literal, undecided in between.
  private func score(_ evidence: Evidence, _ token: String, _ depth: Int) -> Int {
    if evidence.isValueLike { return 5 }
    // The first segment of an API's paths is a literal.
    if depth == 0 { return -5 }
    var score = 0
    if evidence.isTemplated { score -= 4 }
    if evidence.hasValueNext { score -= 1 }
    if evidence.parents.count > 1 { score -= 1 }
    if evidence.isOwn { score += 3 }
    // The segment varies in the links of one member. A few varying links are weak evidence, because two kinds of
    // objects may have the same shape.
    if evidence.varying * 10 > evidence.constant { score += 4 } else if evidence.constant > 0 { score -= 4 }
    if (-3...3).contains(score), let other = places[token] {
      score += other.varying * 10 > other.constant * 3 ? 3 : -3
    }
    return score
  }
}
