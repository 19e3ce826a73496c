import Cassettes
import HTTP
import JSONText

/// Values of a JSON text whose names say that they are secrets, whatever the text is for.
///
/// An import reads what can be played. A secret also stands in what it skips, in a collection's variables and in settings.
struct NamedValues {
  private let tree: JSONTree
  private let redaction: Redaction
  /// Whether redaction takes a header field's value out, or a part of it that stands for none.
  private let isSecretField: (_ name: String, _ value: String) -> Bool
  private var found: [(at: Int, what: String)] = []

  /// What is in the clear in a text, and at which byte; nothing when it is not JSON.
  static func found(
    in text: [UInt8], _ redaction: Redaction, isSecretField: (_ name: String, _ value: String) -> Bool
  ) -> [(at: Int, what: String)] {
    guard let tree = JSONTree(text) else { return [] }
    return withoutActuallyEscaping(isSecretField) { isSecretField in
      var values = NamedValues(tree: tree, redaction: redaction, isSecretField: isSecretField)
      values.walk(tree.root)
      return values.found
    }
  }

  private init(tree: JSONTree, redaction: Redaction, isSecretField: @escaping (String, String) -> Bool) {
    (self.tree, self.redaction, self.isSecretField) = (tree, redaction, isSecretField)
  }

  private mutating func walk(_ node: JSONTree.Node) {
    switch node.kind {
    case .scalar: break
    case .array(let elements):
      if elements.count == 2, let name = string(elements[0]), SecretNames.isField(name),
        let value = string(elements[1]),
        // `["Authorization", "Cookie"]` is a list of names.
        value.contains(where: { $0 == " " || $0 == "=" || $0.isNumber })
      {
        take(name, elements[1])
      }
      for element in elements { walk(element) }
    case .object(let members):
      if let name = (member("name", members) ?? member("key", members)).flatMap({ string($0) }),
        let value = member("value", members)
      {
        take(name, value)
      }
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        // With it is kept what lies below.
        if isKeptMember(name) { continue }
        take(name, member.value)
        if Self.targets.contains(name), let url = string(member.value) { take(url: url, member.value) }
        walk(member.value)
      }
    }
  }

  private static let operators = ["equalTo", "equals", "contains", "value"]
  private static let targets: Set = ["url", "uri", "path", "raw"]

  private func member(_ name: String, _ members: [JSONTree.Member]) -> JSONTree.Node? {
    members.first { $0.name.elementsEqual(name.utf8) }?.value
  }

  private func string(_ node: JSONTree.Node) -> String? {
    let token = tree.bytes[node.range]
    guard token.first == UInt8(ascii: "\"") else { return nil }
    return String(decoding: JSONTree.text(ofString: token), as: UTF8.self)
  }

  /// The values a name has: a text, several, or what a request is compared with.
  private func values(_ node: JSONTree.Node) -> [JSONTree.Node] {
    switch node.kind {
    case .scalar: [node]
    case .array(let elements): elements.flatMap { values($0) }
    case .object(let members):
      // What has a name of its own is looked at by that one.
      member("name", members) ?? member("key", members) != nil
        ? []
        : Self.operators.compactMap { member($0, members) }.filter { string($0) != nil }
    }
  }

  private mutating func take(_ name: String, _ node: JSONTree.Node) {
    let isField = SecretNames.isField(name)
    guard isField || SecretNames.isParameter(name), !isKept(name) else { return }
    for node in values(node) {
      guard let value = string(node) else { continue }
      let isSecret =
        isField ? isLong(value) && isSecretField(name, value) : isSecret(value) && !Self.isReason(name, value)
      if isSecret { found.append((node.range.lowerBound, "the field \(name) in the clear")) }
    }
  }

  private mutating func take(url: String, _ node: JSONTree.Node) {
    guard let question = url.firstIndex(of: "?") else { return }
    for item in QueryItem.parse(String(url[url.index(after: question)...])) {
      guard SecretNames.isParameter(item.name), !isKept(item.name), let value = item.value, isSecret(value) else {
        continue
      }
      found.append((node.range.lowerBound, "the parameter \(item.name) in the clear"))
    }
  }

  private func isSecret(_ value: String) -> Bool { isLong(value) && !LeakScanner.isPlaceholder(value) }

  /// Of errors a code is a word: `"code": "already_exists"`.
  private static func isReason(_ name: String, _ value: String) -> Bool {
    name.lowercased() == "code" && !value.utf8.contains { (0x30...0x39).contains($0) }
  }

  private func isLong(_ value: String) -> Bool {
    let words = value.split(separator: " ")
    let hasScheme = words.count == 2 && LeakScanner.schemes.contains(words[0].lowercased())
    // `Bearer token` is a word of a manual.
    return Redaction.isLookedFor(hasScheme ? String(words[1]) : value) && !redaction.kept.contains(.value(value))
  }

  /// Whether a path to be kept ends at members of this name.
  private func isKeptMember(_ name: String) -> Bool {
    redaction.kept.contains { place in
      guard case .json(var path) = place else { return false }
      while path.hasSuffix("[*]") { path.removeLast(3) }
      return path.hasSuffix(".\(name)")
    }
  }

  /// Whether a person said that what has this name is no secret.
  private func isKept(_ name: String) -> Bool {
    let folded = name.lowercased()
    return redaction.kept.contains { place in
      switch place {
      case .header(let kept), .query(let kept), .form(let kept): kept == folded
      case .json, .value: false
      }
    }
  }
}
