internal import CassetteHTTP
internal import CassetteJSON
package import Cassettes

/// The JSON form of faults, with the terms of a cassette: `{"kind": "reset", "on": "POST /orders", "first": 2}`.
enum FaultText {
  /// The kinds of faults for which a cassette has separate members.
  private enum More: String, CaseIterable {
    case status, delay, throttle
  }

  private static let terms = ["kind", "on", "probability", "first", "every"]

  /// Parses the member `faults`; returns an empty array if it is missing.
  static func list(_ body: ControlBody) throws(ControlRefusal) -> [CassetteFault] {
    guard let node = body.node("faults") else { return [] }
    guard case .array(let elements) = node.kind else { throw body.wrong("faults", "an array of objects", node) }
    let most = 1000
    guard elements.count <= most else { throw ControlRefusal(400, "\"faults\" must have at most \(most) elements") }
    var faults: [CassetteFault] = []
    for element in elements { faults.append(try fault(JSONTree(body.bytes, root: element), element)) }
    return faults
  }

  private static func fault(_ tree: JSONTree, _ node: JSONTree.Node) throws(ControlRefusal) -> CassetteFault {
    let more = ["after", "status", "headers", "body", "delay", "bytesPerSecond"]
    let all = try ControlBody(tree, node, terms + more)
    let kinds = CassetteFault.Kind.allCases.map(\.rawValue) + More.allCases.map(\.rawValue)
    guard let kind = try all.string("kind") else {
      throw ControlRefusal(400, "a fault has no \"kind\": use one of \(kinds.joined(separator: ", "))")
    }
    let path = try all.string("on")
    var terms = FaultTerms()
    terms.first = try all.number("first")
    if let every = try all.number("every") {
      guard every > 0 else { throw ControlRefusal(400, "\"every\" must be at least 1") }
      terms.every = every
    }
    if let probability = try all.decimal("probability") {
      guard (0...1).contains(probability) else {
        throw ControlRefusal(400, "\"probability\" must be a number from 0 to 1")
      }
      terms.probability = probability
    }
    if let known = CassetteFault.Kind(rawValue: kind) {
      _ = try ControlBody(tree, node, Self.terms + (known.cutEnd == nil ? [] : ["after"]))
      terms.after = try all.number("after")
      return CassetteFault(known, on: path, terms)
    }
    var fault: CassetteFault
    switch More(rawValue: kind) {
    case .status:
      _ = try ControlBody(tree, node, Self.terms + ["status", "headers", "body"])
      fault = try status(all, on: path, terms.first)
    case .delay:
      _ = try ControlBody(tree, node, Self.terms + ["delay"])
      fault = try delay(all, on: path, terms.first)
    case .throttle:
      _ = try ControlBody(tree, node, Self.terms + ["bytesPerSecond"])
      guard let rate = try all.number("bytesPerSecond"), rate > 0 else {
        throw ControlRefusal(400, "\"throttle\" requires \"bytesPerSecond\" of at least 1")
      }
      fault = .throttle(bytesPerSecond: rate, on: path, first: terms.first)
    case nil: throw ControlRefusal(400, "unknown fault \"\(kind)\"\(ControlCall.hint(kind, kinds))")
    }
    fault.apply(terms)
    return fault
  }

  private static func status(_ body: ControlBody, on path: String?, _ first: Int?) throws(ControlRefusal)
    -> CassetteFault
  {
    guard let status = try body.number("status"), (200...599).contains(status) else {
      throw ControlRefusal(400, "the fault \"status\" requires \"status\" from 200 to 599")
    }
    var headers = HTTPHeaders()
    if let node = body.node("headers") {
      guard case .object(let members) = node.kind else { throw body.wrong("headers", "an object of strings", node) }
      let names = members.map { String(decoding: $0.name, as: UTF8.self) }
      let fields = try ControlBody(JSONTree(body.bytes, root: node), node, names)
      for name in names {
        guard let value = try fields.string(name), FieldSyntax.isToken(name), FieldSyntax.isValue(value) else {
          throw ControlRefusal(400, "\"headers\" has an invalid header field: \"\(name.prefix(60))\"")
        }
        headers.append(name, value)
      }
    }
    return .status(status, fields: headers, body: try body.string("body") ?? "", on: path, first: first)
  }

  private static func delay(_ body: ControlBody, on path: String?, _ first: Int?) throws(ControlRefusal)
    -> CassetteFault
  {
    switch try latency(body, "delay") {
    case .recorded?: return .latency(.recorded, on: path, first: first)
    case .seconds(let seconds)?: return .latency(.seconds(seconds), on: path, first: first)
    case .fitted?, .uniform?, .logNormal?, nil:
      throw ControlRefusal(
        400, "\"delay\" must be seconds, \"50ms\" or \"recorded\"; use \"latency\" for ranges and distributions")
    }
  }

  /// Parses a number of seconds or a text such as `20ms..80ms`; nil if the member is missing.
  static func latency(_ body: ControlBody, _ name: String) throws(ControlRefusal) -> Latency? {
    try body.read(name, "seconds, \"50ms\", \"20ms..80ms\", \"80ms~0.4\", \"recorded\" or \"fitted\"") { node in
      if let text = body.string(node) { return Latency(text) }
      guard let seconds = Double(body.text(node)), (0...Latency.longest).contains(seconds) else { return nil }
      return .seconds(seconds)
    }
  }

  // MARK: Writing

  /// Writes the members of a fault.
  static func write(_ fault: CassetteFault, _ json: inout JSONWriter) {
    var kind = fault.kind?.rawValue
    switch fault.effect {
    case .latency, .recordedLatency: kind = More.delay.rawValue
    case .response: kind = More.status.rawValue
    case .rate: kind = More.throttle.rawValue
    case .failure, .cut: break
    }
    json.member("kind", kind)
    if let path = fault.pattern?.text { json.member("on", path) }
    switch fault.effect {
    case .latency(let seconds): json.member("delay", Latency.seconds(seconds).text)
    case .recordedLatency: json.member("delay", Latency.recorded.text)
    case .rate(let rate): json.member("bytesPerSecond", rate)
    case .cut(let after?, _): json.member("after", after)
    case .response(let response):
      json.member("status", response.status.code)
      if !response.headers.isEmpty {
        json.object("headers") { fields in for field in response.headers { fields.member(field.name, field.value) } }
      }
      if !response.body.isEmpty { json.member("body", String(decoding: response.body, as: UTF8.self)) }
    case .cut, .failure: break
    }
    let terms = fault.terms
    if let probability = terms.probability { json.member("probability", probability) }
    for (name, count) in [("first", terms.first), ("every", terms.every)] {
      if let count { json.member(name, count) }
    }
  }
}

/// Interactions in a body, read by the reader of cassettes, which names the line and column of an error.
enum InteractionText {
  /// Reads an interaction, or an array of them, with the warnings about them.
  ///
  /// - `body`: The body of the call, which is JSON.
  static func read(
    _ body: [UInt8], _ node: JSONTree.Node, without names: Set<String> = []
  ) throws(ControlRefusal) -> Cassette {
    try read(body, node, names, needsResponse: true)
  }

  /// Reads a request and its rules as a recording has them.
  ///
  /// - `body`: The body of the call, which is JSON.
  static func request(
    _ body: [UInt8], _ node: JSONTree.Node, without names: Set<String> = []
  ) throws(ControlRefusal) -> Interaction {
    guard case .object(let members) = node.kind, members.contains(where: { $0.name == Array("request".utf8) }),
      let interaction = try read(body, node, names, needsResponse: false).interactions.first
    else { throw ControlRefusal(400, "\"request\" is missing: send a request in the format of a cassette") }
    return interaction
  }

  private static func read(
    _ body: [UInt8], _ node: JSONTree.Node, _ names: Set<String>, needsResponse: Bool
  ) throws(ControlRefusal) -> Cassette {
    let cassette: Cassette
    do throws(CassetteError) {
      cassette = try CassetteFile.interactions(
        in: body, at: node.range.lowerBound, besides: names, needsResponse: needsResponse)
    } catch {
      throw ControlRefusal(400, words(error))
    }
    for interaction in cassette.interactions {
      for body in [interaction.requestBody, interaction.responseBody] {
        if case .file? = body?.form {
          throw ControlRefusal(
            400, "\"file\" is not supported here: send the body as \"json\", \"text\" or \"base64\"")
        }
      }
    }
    return cassette
  }

  static func words(_ error: CassetteError) -> String {
    let place = error.line > 0 ? "line \(error.line), column \(error.column): " : ""
    return place + error.message + (error.suggestion.map { ", \($0)" } ?? "")
  }
}

extension PlaybackClock {
  /// Parses `system`, `recorded` or a time such as `2026-11-22T12:00:00Z`; returns nil for any other text.
  package init?(_ text: String) {
    switch text {
    case "system": self = .system
    case "recorded": self = .recorded
    default:
      guard let time = ISOTime(Array(text.utf8)[...]), time.isWhole else { return nil }
      self = .fixed(Double(time.seconds))
    }
  }

  /// The text that ``init(_:)`` parses.
  package var text: String {
    switch self {
    case .system: "system"
    case .recorded: "recorded"
    case .fixed(let seconds): Timestamp.at(seconds) ?? "\(seconds)"
    }
  }
}
