internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem

/// The paths of an API: those of requests, and those in links of responses.
///
/// Objects of the same shape have links of the same form: a segment that varies in the links of one member is a value,
/// and a constant segment is a literal. This type collects the evidence, and ``PathTemplates`` decides.
struct PathWitnesses {
  /// A path, with the evidence about its segments.
  struct Witness {
    var segments: [String]
    /// The indices of segments that differ between the links of one member.
    var varying: Set<Int> = []
    /// The indices of segments that are constant in the links of one member, while others differ.
    var constant: Set<Int> = []
    /// The indices of segments whose value occurs in the response.
    var own: Set<Int> = []
    /// The shapes of the responses, by method.
    var shapes: Set<String> = []
  }

  /// The maximum number of links, which bounds the memory; further ones are ignored.
  private static let most = 200_000

  private var asked = ""

  private(set) var all: [String: Witness] = [:]
  private var groups: [String: Set<String>] = [:]
  /// The number of links in which a segment varies or is constant, at any position in the path.
  private(set) var places: [String: (varying: Int, constant: Int)] = [:]
  /// The origins whose links belong to the API.
  private var origins: Set<String> = []

  mutating func add(origin: String) { origins.insert(origin) }

  /// Adds the path of a request.
  mutating func add(_ exchange: ContractExchange, path: String, body: JSONTree?) {
    var witness = all[path] ?? Witness(segments: Self.segments(of: path))
    if let body {
      let shape = Self.shape(of: body.root, 0)
      if !shape.isEmpty { witness.shapes.insert("\(exchange.method) \((exchange.status ?? 0) / 100) \(shape)") }
      let values = Self.values(of: body)
      for (index, segment) in witness.segments.enumerated()
      where values.contains(PercentEncoding.decodeText(segment.utf8)) {
        witness.own.insert(index)
      }
    }
    all[path] = witness
  }

  /// Adds the links in the response to a request for `path`.
  mutating func addLinks(of body: JSONTree, at path: String) {
    asked = path
    walk(body.root, body, "", "", 0)
  }

  /// Determines which segments vary and which are constant, after all links have been added.
  mutating func compare() {
    for paths in groups.values where paths.count > 1 {
      let members = paths.sorted()
      let parts = members.compactMap { all[$0]?.segments }
      let count = parts.map(\.count).min() ?? 0
      let differing = (0..<count).filter { index in Set(parts.map { $0[index] }).count > 1 }
      guard !differing.isEmpty else { continue }
      for path in members {
        all[path]?.varying.formUnion(differing)
        // A segment before the first differing one is no evidence: it may be the common owner of all linked
        // repositories. Only segments after it count as constant.
        all[path]?.constant.formUnion(Set(differing[0]..<count).subtracting(differing))
      }
    }
    groups = [:]
    for witness in all.values {
      for index in witness.varying { places[witness.segments[index], default: (0, 0)].varying += 1 }
      for index in witness.constant { places[witness.segments[index], default: (0, 0)].constant += 1 }
    }
  }

  static func segments(of path: String) -> [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
  }

  // MARK: Links

  private mutating func walk(_ node: JSONTree.Node, _ tree: JSONTree, _ key: String, _ around: String, _ depth: Int) {
    guard depth < 32, all.count < Self.most else { return }
    switch node.kind {
    case .array(let elements):
      for element in elements { walk(element, tree, key, around, depth + 1) }
    case .object(let members):
      let shape = members.map { String(decoding: $0.name, as: UTF8.self) }.sorted().joined(separator: " ")
      for member in members {
        let name = String(decoding: member.name, as: UTF8.self)
        if case .scalar = member.value.kind {
          let token = tree.bytes[member.value.range]
          guard token.count > 10, token.first == UInt8(ascii: "\"") else { continue }
          link(String(decoding: JSONTree.text(ofString: token), as: UTF8.self), "\(name) \(key) \(shape) | \(around)")
        } else {
          walk(member.value, tree, name, shape, depth + 1)
        }
      }
    case .scalar: return
    }
  }

  private mutating func link(_ text: String, _ member: String) {
    guard let scheme = text.firstRange(of: "://") else { return }
    let rest = text[scheme.upperBound...]
    guard let slash = rest.firstIndex(of: "/"), origins.contains(String(text[..<slash])) else { return }
    var path = String(rest[slash...].prefix { $0 != "?" && $0 != "#" })
    // RFC 6570: {?page} is a query, {/id} an additional segment.
    if let query = path.firstRange(of: "{?") ?? path.firstRange(of: "{&") { path = String(path[..<query.lowerBound]) }
    path = path.replacing("{/", with: "/{")
    // Links to the next page of a list occur in all lists, so they are no evidence.
    if path == asked, rest.contains("?") { return }
    let segments = Self.segments(of: path)
    guard segments.count > 1 else { return }
    if all[path] == nil { all[path] = Witness(segments: segments) }
    groups["\(segments.count) \(segments[0]) \(member)", default: []].insert(path)
  }

  // MARK: Answers

  /// Returns the shape of a value: the names of its members, to a depth of three.
  private static func shape(of node: JSONTree.Node, _ depth: Int) -> String {
    switch node.kind {
    case .scalar: return ""
    case .array(let elements): return elements.first.map { "[\(shape(of: $0, depth + 1))]" } ?? ""
    case .object(let members):
      guard depth < 3 else { return "{}" }
      let names = members.map { member in
        String(decoding: member.name, as: UTF8.self) + (depth < 2 ? shape(of: member.value, depth + 1) : "")
      }
      return "{\(names.sorted().joined(separator: ","))}"
    }
  }

  /// Returns the strings and numbers in a response, to a depth of two.
  private static func values(of tree: JSONTree) -> Set<String> {
    let nodes = OpenAPINodes(tree)
    let own = nodes.members(tree.root).map(\.value)
    return (own + own.flatMap { nodes.members($0).map(\.value) }).reduce(into: []) { values, node in
      if case .scalar = node.kind { values.insert(nodes.scalar(node)) }
    }
  }
}

/// Distinguishes literals from values by the form of a path segment.
enum SegmentForm {
  /// Returns true if a segment has the form of a value: a number, a UUID, a hash, a date, a placeholder.
  static func isValue(_ segment: String, _ depth: Int) -> Bool {
    let bytes = Array(segment.utf8)
    guard let first = bytes.first else { return false }
    if bytes.contains(where: { "{}<>%@:~,;=+".utf8.contains($0) }) { return true }
    let digits = bytes.count { (0x30...0x39).contains($0) }
    guard digits > 0 else { return false }
    // `v1` and `v2.1` are versions of the API.
    if depth < 3, first | 0x20 == UInt8(ascii: "v"), digits < 4,
      bytes.dropFirst().allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    {
      return false
    }
    if (0x30...0x39).contains(first) { return true }
    let isHexadecimal = bytes.allSatisfy { $0.hexadecimalValue != nil }
    return isHexadecimal && bytes.count > 6 || digits > 3 || bytes.count > 16 && digits > 1
  }
}

/// Derives the names of path parameters, schemas and operations.
enum TemplateName {
  /// Returns the name of the parameter after a literal: `users` gives `userId`.
  static func name(after word: String, isDirect: Bool) -> String {
    var parts = word.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let last = parts.popLast() else { return "id" }
    parts.append(singular(last))
    let head = parts[0].prefix(1).lowercased() + parts[0].dropFirst()
    let name = parts.dropFirst().reduce(head) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    return name + (isDirect ? "Id" : "Name")
  }

  /// Returns true if a word looks like a plural.
  static func isPlural(_ word: String) -> Bool {
    word.utf8.count > 2 && word.hasSuffix("s") && !word.hasSuffix("ss") && !word.hasSuffix("us")
  }

  /// Returns the schema name for the last literal of a path: `/users/{userId}/repos` gives `Repo`.
  static func schema(of path: String) -> String {
    schema(named: path.split(separator: "/").last { !$0.hasPrefix("{") }.map(String.init) ?? "")
  }

  /// Returns the schema name for a member or literal, in the singular: `open_issues` gives `OpenIssue`.
  static func schema(named word: String) -> String {
    var parts = word.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }.map(String.init)
    guard let last = parts.popLast() else { return "Object" }
    parts.append(singular(last))
    let name = parts.reduce("") { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    return name.first?.isNumber ?? true ? "Object\(name)" : name
  }

  private static func singular(_ word: String) -> String {
    if word.hasSuffix("series") || word.hasSuffix("species") { return word }
    if ["cookies", "movies", "selfies", "calories"].contains(where: word.hasSuffix) { return String(word.dropLast()) }
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where word.hasSuffix(ending) { return String(word.dropLast(2)) }
    return isPlural(word) ? String(word.dropLast()) : word
  }

  /// Returns the names of a path's parameters, from left to right.
  static func names(in path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
  }

  /// Returns an unused name, with a number appended if necessary, and adds it to `taken`.
  static func unused(_ wanted: String, _ taken: inout Set<String>) -> String {
    var (name, number) = (wanted, 1)
    while !taken.insert(name).inserted {
      number += 1
      name = "\(wanted)\(number)"
    }
    return name
  }

  /// Returns the name of an operation: `GET /users/{userId}` gives `getUsersByUserId`.
  static func operation(_ method: String, _ path: String) -> String {
    path.split(separator: "/").reduce(method.lowercased()) { name, segment in
      let words = segment.split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
      let text = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
      return name + (segment.hasPrefix("{") ? "By" : "") + text
    }
  }
}
