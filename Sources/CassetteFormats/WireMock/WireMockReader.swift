internal import CassetteEngines
import CassetteJSON
internal import CassetteSystem
import Cassettes

/// Reads stub mappings of WireMock, with bodies in `__files`.
enum WireMockReader {
  /// Returns the folder that contains `mappings` and `__files`, for a file or folder below it.
  static func root(of path: String) -> String? {
    var folder = Folder.resolvedKind(of: path) == .folder ? path : Folder.parent(of: path)
    if Folder.resolvedKind(of: Folder.join(folder, "mappings")) == .folder { return folder }
    while folder.contains("/") || folder == "mappings" {
      let parent = Folder.parent(of: folder)
      if folder == "mappings" || folder.hasSuffix("/mappings") { return parent }
      if parent == folder { return nil }
      folder = parent
    }
    return nil
  }

  /// Returns the files of mappings below a folder, or below its subfolder `mappings`.
  static func mappings(in folder: String) -> [String] {
    var trimmed = folder
    while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    let inner = Folder.join(trimmed, "mappings")
    let isInner = Folder.resolvedKind(of: inner) == .folder
    guard isInner || trimmed == "mappings" || trimmed.hasSuffix("/mappings") else { return [] }
    let start = isInner ? inner : trimmed
    return Folder.files(in: start).files.filter { $0.hasSuffix(".json") }.map { Folder.join(start, $0) }
  }

  /// A mapping, before it is known which of several mappings for the same request is used.
  struct Stub {
    var mapping: SourceValue
    var place: SourcePlace
    var item: String
    var order: Int?
    var priority: Int
  }

  /// Reads all mappings, in the order in which WireMock selects them.
  static func read(_ source: ImportSource, _ content: inout ImportSource.Content) throws(CassetteError) {
    var stubs: [Stub] = []
    for path in source.paths {
      let file = try SourceFile.wireMock(path)
      let whole = SourceValue(file.value)
      let mappings = whole["mappings"]
      if let mappings {
        content.notes.begin(whole, at: SourcePlace(file: path, line: file.line, column: 1))
        if mappings.isArray { mappings.use() }
        content.notes.leaveUnused(of: whole, in: .wiremock)
      }
      var (line, last) = (file.line, file.value)
      for (index, mapping) in (mappings?.json.elements ?? [file.value]).enumerated() {
        line += mapping.lines(below: last)
        last = mapping
        let name = (mapping["name"] ?? mapping["id"] ?? mapping["uuid"])?.string.map { " \"\($0.prefix(60))\"" } ?? ""
        stubs.append(
          Stub(
            mapping: SourceValue(mapping), place: SourcePlace(file: path, line: line, column: 1),
            item: "mapping \(index)\(name)", order: mapping["insertionIndex"]?.integer,
            priority: mapping["priority"]?.integer ?? 5))
      }
    }
    content.count += stubs.count
    var made: [(stub: Stub, interaction: Interaction)] = []
    for stub in WireMockOrder.sorted(stubs) {
      do {
        content.notes.begin(stub.mapping, at: stub.place)
        made.append((stub, try WireMockMapping(stub, source.hasTemplates).interaction(&content.notes)))
        content.notes.leaveUnused(of: stub.mapping, in: .wiremock)
      } catch {
        // Without the placeholder, a mapping of lower priority would match instead.
        if let gap = try content.skip(stub.item, at: stub.place, error) { made.append((stub, gap)) }
      }
    }
    let hidden = WireMockOrder.hidden(made)
    for (index, (stub, _)) in made.enumerated() {
      guard let winner = hidden[index], !made[index].interaction.isGap else { continue }
      let file = winner.place.file == stub.place.file ? "" : " of \(winner.place.file)"
      content.notes.asked = nil
      _ = try content.skip(
        stub.item, at: stub.place, Unusable("it is never used: \(winner.item)\(file) takes precedence"))
    }
    let left = made.indices.filter { hidden[$0] == nil }.map { made[$0] }
    content.recordings += WireMockOrder.ranked(left).map { ($0.interaction, $0.stub.place) }
  }
}

/// Converts a stub mapping to an exchange; parts that cannot be represented are noted or refused by name.
struct WireMockMapping {
  private let mapping: SourceValue
  private let path: String
  private let hasTemplates: Bool

  /// - `hasTemplates`: True if the response is a template, even if it names no transformer.
  init(_ stub: WireMockReader.Stub, _ hasTemplates: Bool) {
    (mapping, self.hasTemplates) = (stub.mapping, hasTemplates)
    path = stub.place.file
  }

  func interaction(_ notes: inout ImportNotes) throws(Unusable) -> Interaction {
    guard let response = mapping["response"] else { throw Unusable("there is no \"response\"") }
    var exchange = try WireMockRequest(mapping["request"]).exchange(&notes)
    // A mapping that was exported from a cassette is a recording: its request is an example, not a set of conditions.
    let facts = mapping["metadata"]?["mockserver"]
    if facts?["recorded"]?.isTrue == true { exchange.match = MatchRules() }
    exchange.note = facts?["note"]?.string
    if let scenario = mapping["scenarioName"]?.string {
      if let state = mapping["requiredScenarioState"]?.string { exchange.replay.when = [.init(scenario, state)] }
      if let state = mapping["newScenarioState"]?.string { exchange.replay.then = [.init(scenario, state)] }
    }
    exchange.status = response["status"]?.integer ?? 200
    notes.asked = exchange
    if let proxy = response["proxyBaseUrl"]?.scalar {
      throw Unusable("it is a proxy", advice: " to \(proxy.prefix(80))")
    }
    exchange.reason = response["statusMessage"]?.string
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.coding = .unknown
    exchange.body = try body(of: response)
    let bodies = ["body", "jsonBody", "base64Body", "bodyFileName"].filter { response[$0] != nil }
    for second in bodies.dropFirst() {
      notes.leave("response.\(second) in addition to \(bodies[0])", at: response[second])
    }
    try transformers(of: response, &exchange, &notes)
    time(of: response, &exchange, &notes)
    if let fault = response["fault"]?.string {
      if fault == "RANDOM_DATA_THEN_CLOSE" {
        exchange.replay.fault = .garbage
      } else {
        exchange.failure = try failure(fault)
      }
    }
    return try exchange.interaction(&notes)
  }

  /// Translates the template of a response.
  private func transformers(
    of response: SourceValue, _ exchange: inout Exchange, _ notes: inout ImportNotes
  ) throws(Unusable) {
    let named = response["transformers"]?.strings ?? []
    if named.isEmpty, !hasTemplates, exchange.hasExpressions {
      notes.mention(
        "a response with {{…}}, imported as text; if WireMock runs with --global-response-templating, add --templates",
        at: response)
    }
    for name in hasTemplates && named.isEmpty ? ["response-template"] : named {
      guard name == "response-template" else { throw Unusable("the transformer \(name.prefix(60))") }
      var template = ForeignTemplate.wireMock
      template.pathNames = mapping["request"]?["urlPathTemplate"]?.string.map { WireMockPathTemplate($0).segments }
      for parameter in response["transformerParameters"]?.members ?? [] {
        template.parameters[parameter.name] = parameter.value.compact
      }
      try exchange.translate(template)
    }
  }

  // MARK: Response

  private func body(of response: SourceValue) throws(Unusable) -> [UInt8] {
    if let text = response["body"] { return text.isString ? text.stringBytes : text.compact }
    if let json = response["jsonBody"] { return json.compact }
    if let base64 = response["base64Body"] { return try Exchange.body(base64: base64.stringBytes, of: "response") }
    guard let name = response["bodyFileName"]?.string else { return [] }
    let near = [WireMockReader.root(of: path), Folder.parent(of: path), Folder.parent(of: Folder.parent(of: path))]
    for case let folder? in near {
      let files = Folder.join(folder, "__files")
      guard Folder.resolvedKind(of: files) == .folder else { continue }
      do {
        return try CassetteFile.bodyBytes(of: name.hasPrefix("/") ? String(name.dropFirst()) : name, in: files)
      } catch {
        throw Unusable("bodyFileName: \(error.message)")
      }
    }
    throw Unusable("its body is in \(name.prefix(80)), but the folder __files is missing")
  }

  private func time(of response: SourceValue, _ exchange: inout Exchange, _ notes: inout ImportNotes) {
    let fixed = response["fixedDelayMilliseconds"]?.number ?? 0
    func seconds(_ milliseconds: Double) -> Double { min(max(0, milliseconds / 1000), Latency.longest) }
    if fixed > 0, fixed.isFinite { exchange.replay.delay = .seconds(seconds(fixed)) }
    if let distribution = response["delayDistribution"] {
      func number(_ name: String) -> Double? { distribution[name]?.number.flatMap { $0.isFinite ? $0 : nil } }
      let type = distribution["type"]?.string ?? ""
      if type == "fixed", let time = number("milliseconds") {
        exchange.replay.delay = .seconds(seconds(fixed + time))
      } else if type == "uniform", let low = number("lower"), let high = number("upper"), low <= high {
        exchange.replay.delay = .uniform(seconds(fixed + low), seconds(fixed + high))
      } else if type == "lognormal", let median = number("median"), let sigma = number("sigma"),
        (0...10).contains(sigma)
      {
        exchange.replay.delay = .logNormal(median: seconds(median), sigma: sigma)
        if fixed > 0 { notes.leave("fixedDelayMilliseconds in addition to a log-normal delay", in: distribution) }
        for bound in ["minValue", "maxValue"] where number(bound) != nil {
          notes.leave("delayDistribution.\(bound)", in: distribution)
        }
      } else {
        notes.leave("delayDistribution \(type.prefix(40))", at: distribution)
      }
    }
    guard let dribble = response["chunkedDribbleDelay"] else { return }
    if let count = dribble["numberOfChunks"]?.integer, let total = dribble["totalDuration"]?.number,
      (1...10_000).contains(count), !exchange.body.isEmpty
    {
      let length = max(1, (exchange.body.count + count - 1) / count)
      exchange.chunks = stride(from: 0, to: exchange.body.count, by: length).map { start in
        let end = min(start + length, exchange.body.count)
        return BodyChunk(after: total / 1000 / Double(count), bytes: Array(exchange.body[start..<end]))
      }
    } else {
      notes.leave("chunkedDribbleDelay", at: dribble)
    }
  }

  /// Translates a WireMock fault on a connection to the terms of `URLError`.
  private func failure(_ fault: String) throws(Unusable) -> RecordedFailure {
    switch fault {
    case "CONNECTION_RESET_BY_PEER": RecordedFailure(code: -1005)
    case "EMPTY_RESPONSE": RecordedFailure(code: -1011)
    case "MALFORMED_RESPONSE_CHUNK": RecordedFailure(code: -1017)
    default: throw Unusable("unknown fault \(fault.prefix(40))")
    }
  }
}

extension SourceFile {
  /// Reads WireMock mappings: its parser, Jackson, accepts comments and single quotes.
  static func wireMock(_ path: String) throws(CassetteError) -> SourceFile {
    do throws(CassetteError) {
      return try SourceFile(path)
    } catch {
      guard let bytes = try? CassetteFile.bytes(of: path), case let plain = WireMockJSON.plain(bytes), plain != bytes
      else { throw error }
      // The error for the unmodified text has the correct column.
      do throws(CassetteError) { return try SourceFile(path, json: plain) } catch _ { throw error }
    }
  }
}

/// Reads the JSON dialect of WireMock's mappings: Jackson, its parser, accepts comments and single quotes.
enum WireMockJSON {
  /// Replaces comments by white space, and single quotes by double quotes, without moving text to another line.
  static func plain(_ text: [UInt8]) -> [UInt8] {
    let (slash, star, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\\"))
    let (quote, apostrophe) = (UInt8(ascii: "\""), UInt8(ascii: "'"))
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var at = text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while at < text.count {
      let byte = text[at]
      let next = at + 1 < text.count ? text[at + 1] : 0
      if byte == quote || byte == apostrophe {
        output.append(quote)
        at += 1
        while at < text.count, text[at] != byte {
          if text[at] == backslash, at + 1 < text.count {
            if text[at + 1] == apostrophe { output.append(apostrophe) } else { output += text[at...at + 1] }
            at += 2
          } else {
            if text[at] == quote { output.append(backslash) }
            output.append(text[at])
            at += 1
          }
        }
        if at < text.count { output.append(quote) }
        at += 1
      } else if byte == slash, next == slash {
        while at < text.count, text[at] != 0x0a { at += 1 }
      } else if byte == slash, next == star {
        at += 2
        while at < text.count, !(text[at] == slash && text[at - 1] == star) {
          if text[at] == 0x0a { output.append(0x0a) }
          at += 1
        }
        at += 1
        output.append(0x20)
      } else {
        output.append(byte)
        at += 1
      }
    }
    return output
  }
}
