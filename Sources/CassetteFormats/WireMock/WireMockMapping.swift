internal import CassetteEngines
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// Converts a stub mapping to an exchange; parts that cannot be represented are noted or refused by name.
struct WireMockMapping {
  private let mapping: JSONValue
  private let path: String

  init(_ stub: WireMockReader.Stub) {
    mapping = stub.mapping
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
    try transformers(of: response, &exchange)
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
  private func transformers(of response: JSONValue, _ exchange: inout Exchange) throws(Unusable) {
    for name in response["transformers"]?.strings ?? [] {
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

  private func body(of response: JSONValue) throws(Unusable) -> [UInt8] {
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

  private func time(of response: JSONValue, _ exchange: inout Exchange, _ notes: inout ImportNotes) {
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
        if fixed > 0 { notes.leave("fixedDelayMilliseconds in addition to a log-normal delay", at: distribution) }
        for bound in ["minValue", "maxValue"] where number(bound) != nil {
          notes.leave("delayDistribution.\(bound)", at: distribution)
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
