internal import CassetteHTTP
internal import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// Replaces the ids of JSON-RPC messages in an answer by the ids that the client sent (JSON-RPC 2.0 §5).
///
/// Matching ignores the `id` of a call, but a client rejects an answer with a different `id`.
struct CallEcho {
  private static let mark = Array("\"jsonrpc\"".utf8)

  /// Returns true if a body may contain JSON-RPC messages; the body is searched, not parsed (JSON-RPC 2.0 §4).
  static func mayConcern(_ body: [UInt8]) -> Bool { body.firstIndex(of: mark) != nil }

  /// The ids that replace each recorded id, in the order of the calls.
  private var sent: [[UInt8]: [[UInt8]]] = [:]
  /// The ids that were sent, if the recording contains no calls.
  private var unpaired: [[UInt8]] = []
  /// The ids that need no replacement, because the answer is generated for each request.
  private var settled: Set<[UInt8]> = []

  /// Pairs the calls of two requests, those of a batch by method and parameters; returns nil if all ids are equal.
  ///
  /// - `recorded`: The body of the recorded request; nil if it has none.
  /// - `isMade`: True if the answer is generated for each request, so that it may already contain the ids sent.
  init?(_ body: [UInt8], recorded: [UInt8]?, isMade: Bool) {
    guard Self.mayConcern(body) else { return nil }
    let calls = Self.calls(body)
    guard !calls.isEmpty else { return nil }
    let known = recorded.map(Self.calls) ?? []
    if isMade { settled = Set(calls.map(\.key)) }
    if known.isEmpty {
      unpaired = calls.map(\.id)
      return
    }
    var places: [BodyDigest: [Int]] = [:]
    if calls.count > 1 {
      for (place, call) in calls.enumerated().reversed() { places[call.digest, default: []].append(place) }
    }
    var differs = false
    for (place, call) in known.enumerated() {
      let partner = places[call.digest]?.popLast() ?? min(place, calls.count - 1)
      sent[call.key, default: []].append(calls[partner].id)
      differs = differs || calls[partner].id != call.id
    }
    guard differs else { return nil }
  }

  /// Returns the replacements of ids in a body of JSON, JSON lines or server-sent events; empty if no id differs.
  mutating func edits(of text: [UInt8]) -> [(range: Range<Int>, id: [UInt8])] {
    var edits: [(Range<Int>, [UInt8])] = []
    Self.eachValue(of: Self.withoutFieldNames(text)) { tree, start in
      let messages: [JSONTree.Node]
      if case .array(let elements) = tree.root.kind { messages = elements } else { messages = [tree.root] }
      for message in messages {
        guard Self.isMessage(message, tree), message["method"] == nil, let id = message["id"] else { continue }
        let key = Self.key(id, tree)
        guard let other = next(for: key), !tree.bytes[id.range].elementsEqual(other) else { continue }
        edits.append((start + id.range.lowerBound..<start + id.range.upperBound, other))
      }
    }
    return edits
  }

  private mutating func next(for id: [UInt8]) -> [UInt8]? {
    if settled.contains(id) { return nil }
    // A server answers a message that it cannot read with null (JSON-RPC 2.0 §5), which is then the id of no call.
    if id != Array("null".utf8), let first = unpaired.first {
      if unpaired.count > 1 { unpaired.removeFirst() }
      return first
    }
    guard let ids = sent[id], let first = ids.first else { return nil }
    if ids.count > 1 { sent[id]?.removeFirst() }
    return first
  }

  /// The calls of a body: the text of each id, the key that finds it in an answer, and the digest of the call.
  private static func calls(_ body: [UInt8]) -> [(id: [UInt8], key: [UInt8], digest: BodyDigest)] {
    guard Self.mayConcern(body), let tree = JSONTree(body) else { return [] }
    let nodes: [JSONTree.Node]
    if case .array(let elements) = tree.root.kind { nodes = elements } else { nodes = [tree.root] }
    return nodes.compactMap { node in
      guard isMessage(node, tree), node["method"] != nil, let id = node["id"] else { return nil }
      let digest = NormalBody(Array(tree.bytes[node.range]), contentType: "application/json").skeleton
      return (Array(tree.bytes[id.range]), key(id, tree), digest)
    }
  }

  private static func isMessage(_ node: JSONTree.Node, _ tree: JSONTree) -> Bool {
    node["jsonrpc"].map { tree.bytes[$0.range].elementsEqual("\"2.0\"".utf8) } ?? false
  }

  /// The text of an id, without escapes: a server may write another escape than its client.
  private static func key(_ id: JSONTree.Node, _ tree: JSONTree) -> [UInt8] {
    tree.string(id).map { [UInt8(ascii: "\"")] + $0 } ?? Array(tree.bytes[id.range])
  }

  /// Replaces `data:` at the start of lines by spaces, because the value of an event may span several lines.
  private static func withoutFieldNames(_ text: [UInt8]) -> [UInt8] {
    let name = Array("data:".utf8)
    var text = text
    var at = 0
    while let found = text.firstIndex(of: name, from: at) {
      at = found + name.count
      guard found == 0 || text[found - 1] == 10 || text[found - 1] == 13 else { continue }
      for index in found..<at { text[index] = UInt8(ascii: " ") }
    }
    return text
  }

  /// Calls `use` for each JSON object or array at the start of a line, with its offset.
  private static func eachValue(of text: [UInt8], _ use: (JSONTree, Int) -> Void) {
    let bytes = text.span
    var at = 0
    while at < text.count {
      JSONScanner.skipWhitespace(in: bytes, at: &at)
      guard at < text.count else { return }
      let start = at
      if text[at] == UInt8(ascii: "{") || text[at] == UInt8(ascii: "["),
        (try? JSONScanner.skipValue(in: bytes, at: &at)) != nil, let tree = JSONTree(Array(text[start..<at]))
      {
        use(tree, start)
      } else {
        // Not JSON: another field of an event, a comment, or a truncated value.
        at = start
        while at < text.count, text[at] != 10, text[at] != 13 { at += 1 }
      }
    }
  }
}
