internal import CassetteJSON
internal import CassetteSystem

/// Computes the digests of a body in one pass, with and without the values that are generated at each call.
struct BodyDigester {
  /// The digest of a value, and its skeleton, in which generated values are replaced by marks.
  typealias Pair = (digest: BodyDigest, skeleton: BodyDigest)

  private enum Mark: UInt64 {
    case null = 1
    case object, array, string, number, word, text, bytes, generatedString, generatedNumber
  }

  private let tree: JSONTree
  private let tolerance: JSONTolerance
  /// The offsets at which ignored values begin.
  private let ignored: Set<Int>

  private init(_ tree: JSONTree, _ tolerance: JSONTolerance) {
    self.tree = tree
    self.tolerance = tolerance
    ignored = tolerance.ignored.isEmpty ? [] : tolerance.ignoredPlaces(in: tree)
  }

  /// Returns the digests of a tree of values.
  static func digests(of tree: JSONTree, _ tolerance: JSONTolerance) -> Pair {
    let digester = BodyDigester(tree, tolerance)
    return digester.value(tree.root, [])
  }

  /// Returns the digests of text or binary data.
  static func digests(of bytes: [UInt8], isText: Bool) -> Pair {
    let digest = BodyDigest(isText ? Mark.text.rawValue : Mark.bytes.rawValue, bytes)
    guard isText, let masked = GeneratedText.masked(tokensOf: bytes) else { return (digest, digest) }
    return (digest, BodyDigest(Mark.generatedString.rawValue, masked))
  }

  private func isIgnored(_ node: JSONTree.Node) -> Bool { !ignored.isEmpty && ignored.contains(node.range.lowerBound) }

  private func value(_ node: JSONTree.Node, _ name: [UInt8]) -> Pair {
    if isIgnored(node) {
      let nothing = BodyDigest(0)
      return (nothing, nothing)
    }
    return switch node.kind {
    case .object(let members): object(members)
    case .array(let elements): array(elements, name)
    case .scalar: scalar(node.range, name)
    }
  }

  // MARK: Containers

  private func object(_ members: [JSONTree.Member]) -> Pair {
    let names = members.map { BodyDigest(Mark.string.rawValue, $0.name) }
    let counts = Self.occurrences(names)
    var (digests, skeletons) = (BodyDigest(0), BodyDigest(0))
    for (index, member) in members.enumerated() {
      if isIgnored(member.value) { continue }
      let pair = value(member.value, member.name)
      var key = names[index]
      key.add(UInt64(counts.isEmpty ? 0 : counts[index]))
      var (digest, skeleton) = (key, key)
      digest.add(pair.digest)
      skeleton.add(pair.skeleton)
      digests.addInAnyOrder(digest)
      skeletons.addInAnyOrder(skeleton)
    }
    return Self.closed(.object, digests, skeletons)
  }

  /// Returns for each member the number of preceding members with the same name; empty if all names are unique.
  private static func occurrences(_ names: [BodyDigest]) -> [Int] {
    if names.count <= 12 {
      var isTwice = false
      for index in names.indices {
        for other in 0..<index where names[other].first == names[index].first { isTwice = true }
      }
      if !isTwice { return [] }
    }
    var seen: [BodyDigest: Int] = [:]
    seen.reserveCapacity(names.count)
    var hasTwo = false
    let counts = names.map { name in
      let count = seen[name, default: 0]
      seen[name] = count + 1
      hasTwo = hasTwo || count > 0
      return count
    }
    return hasTwo ? counts : []
  }

  private func array(_ elements: [JSONTree.Node], _ name: [UInt8]) -> Pair {
    var (digests, skeletons) = (BodyDigest(0), BodyDigest(0))
    for (index, element) in elements.enumerated() {
      if isIgnored(element) { continue }
      let pair = value(element, name)
      if tolerance.allowsAnyOrder {
        digests.addInAnyOrder(pair.digest)
        skeletons.addInAnyOrder(pair.skeleton)
      } else {
        digests.add(UInt64(index))
        digests.add(pair.digest)
        skeletons.add(UInt64(index))
        skeletons.add(pair.skeleton)
      }
    }
    return Self.closed(.array, digests, skeletons)
  }

  private static func closed(_ mark: Mark, _ digests: BodyDigest, _ skeletons: BodyDigest) -> Pair {
    var (digest, skeleton) = (BodyDigest(mark.rawValue), BodyDigest(mark.rawValue))
    digest.add(digests)
    skeleton.add(skeletons)
    return (digest, skeleton)
  }

  // MARK: Scalars

  private func scalar(_ range: Range<Int>, _ name: [UInt8]) -> Pair {
    let first = tree.bytes[range.lowerBound]
    if first == UInt8(ascii: "\"") { return string(range, name) }
    guard first == UInt8(ascii: "-") || first &- 0x30 < 10 else {
      let digest = slice(Mark.word, range)
      return (digest, digest)
    }
    let digest = number(range)
    guard GeneratedText.isTimestamp(tree.bytes, range, named: name) else { return (digest, digest) }
    return (digest, BodyDigest(Mark.generatedNumber.rawValue))
  }

  private func slice(_ mark: Mark, _ range: Range<Int>) -> BodyDigest {
    var digest = BodyDigest(mark.rawValue)
    tree.bytes.withUnsafeBytes { digest.add(UnsafeRawBufferPointer(rebasing: $0[range])) }
    return digest
  }

  private func string(_ token: Range<Int>, _ name: [UInt8]) -> Pair {
    let content = token.lowerBound + 1..<token.upperBound - 1
    let (isPlain, hasDigit) = tree.bytes.searching { text in
      var (isPlain, hasDigit) = (true, false)
      var at = content.lowerBound
      while at < content.upperBound {
        let byte = text[at]
        if byte == UInt8(ascii: "\\") { isPlain = false }
        if byte &- 0x30 < 10 { hasDigit = true }
        at += 1
      }
      return (isPlain, hasDigit)
    }
    if isPlain, !hasDigit || content.count < 10 {
      let digest = slice(Mark.string, content)
      return (digest, digest)
    }
    let text = isPlain ? Array(tree.bytes[content]) : JSONTree.text(ofString: tree.bytes[token])
    let digest = BodyDigest(Mark.string.rawValue, text)
    guard hasDigit, let masked = GeneratedText.masked(text, named: name) else { return (digest, digest) }
    return (digest, BodyDigest(Mark.generatedString.rawValue, masked))
  }

  private func number(_ token: Range<Int>) -> BodyDigest {
    guard let number = JSONNumber(tree.bytes[token]) else { return slice(Mark.number, token) }
    var digest = BodyDigest(Mark.number.rawValue, number.digits)
    digest.add(UInt64(truncatingIfNeeded: number.exponent) &* 2 &+ (number.isNegative ? 1 : 0))
    return digest
  }
}
