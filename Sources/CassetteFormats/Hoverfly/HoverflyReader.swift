internal import CassetteEngines
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// Reads simulations of Hoverfly, version 5 and older.
enum HoverflyReader {
  /// Converts one pair to recordings.
  static func interactions(of pair: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let request = pair["request"] else { throw Unusable("there is no \"request\"") }
    guard let response = pair["response"] else { throw Unusable("there is no \"response\"") }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    var exchange = try HoverflyRequest(request).exchange(&notes)
    exchange.status = status
    setStates(request, response, &exchange)
    notes.asked = exchange
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.coding = .unknown
    exchange.body = try body(of: response, beside: notes.place.file)
    if response["templated"]?.isTrue == true { try exchange.translate(.hoverfly) }
    delay(response, &exchange, &notes)
    return [try exchange.interaction(&notes)]
  }

  private static func setStates(_ request: JSONValue, _ response: JSONValue, _ exchange: inout Exchange) {
    func state(_ member: (name: String, value: JSONValue)) -> ReplayRules.State {
      let value = member.value.scalar ?? ""
      // Hoverfly counts recordings of the same request, and begins with 1.
      let isFirst = member.name.hasPrefix("sequence:") && value == "1"
      return ReplayRules.State(member.name, isFirst ? ReplayRules.State.start : value)
    }
    exchange.replay.when = (request["requiresState"]?.members ?? []).map(state)
    exchange.replay.then = (response["transitionsState"]?.members ?? []).map(state)
    for name in response["removesState"]?.strings ?? [] {
      exchange.replay.then.removeAll { $0.scenario == name }
      exchange.replay.then.append(ReplayRules.State(name, ReplayRules.State.start))
    }
  }

  private static func delay(_ response: JSONValue, _ exchange: inout Exchange, _ notes: inout ImportNotes) {
    var delay = response["fixedDelay"]?.number ?? 0
    if let distribution = response["logNormalDelay"], !distribution.members.isEmpty {
      let middle = distribution["median"]?.number ?? distribution["mean"]?.number ?? 0
      delay += middle
      notes.mention("logNormalDelay, replaced by its median of \(Int(exactly: middle.rounded()) ?? 0) ms")
    }
    if delay > 0, delay.isFinite { exchange.replay.delay = .seconds(min(delay / 1000, 86_400)) }
  }

  /// Reads a body from its text, from Base64, or, if the text is empty, from a file in the folder of the simulation.
  private static func body(of response: JSONValue, beside simulation: String) throws(Unusable) -> [UInt8] {
    let bytes = response["body"]?.stringBytes ?? []
    if bytes.isEmpty, let file = response["bodyFile"]?.string, !file.isEmpty {
      guard !file.contains("://") else {
        throw Unusable("its body is at \(file.prefix(80)): download the body, and name the file in \"bodyFile\"")
      }
      do {
        return try CassetteFile.bodyBytes(of: file, in: Folder.parent(of: simulation))
      } catch {
        throw Unusable("bodyFile: \(error.message)")
      }
    }
    return response["encodedBody"]?.isTrue == true ? try Exchange.body(base64: bytes, of: "response") : bytes
  }
}
