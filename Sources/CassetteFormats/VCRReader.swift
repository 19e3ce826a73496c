import CassetteHTTP
import CassetteJSON
internal import CassetteYAML
import Cassettes

/// Reads cassettes of VCR (Ruby), vcrpy and betamax (Python) and go-vcr, in YAML or JSON.
enum VCRReader {
  /// Converts one interaction to recordings.
  static func interactions(of interaction: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let request = interaction["request"] else { throw Unusable("there is no \"request\"") }
    guard let response = interaction["response"] else { throw Unusable("there is no \"response\"") }
    guard let url = (request["uri"] ?? request["url"])?.string else { throw Unusable("the request has no \"uri\"") }
    // VCR and betamax write status.code, older betamax status_code, vcrpy's first format status alone.
    // go-vcr writes code, and "200 OK" as status.
    let code = response["status"]?["code"] ?? response["status_code"] ?? response["code"] ?? response["status"]
    guard let status = plain(code)?.integer else { throw Unusable("the response has no \"status\"") }
    // A Ruby symbol begins with a colon: `:get`.
    let method = (plain(request["method"])?.string ?? "GET").drop { $0 == ":" }
    var exchange = Exchange(method: method.uppercased(), url: url, status: status)
    exchange.requestHeaders = fields(request["headers"])
    exchange.requestBody = try VCRBody(message: request, side: "request").bytes(&notes)
    notes.asked = exchange
    let line = response["status"]?.string?.split(separator: " ", maxSplits: 1)
    exchange.reason = response["status"]?["message"]?.string ?? line?.dropFirst().first.map(String.init)
    exchange.headers = fields(response["headers"])
    exchange.body = try VCRBody(message: response, side: "response").bytes(&notes) ?? []
    exchange.coding = .unknown
    exchange.recorded = interaction["recorded_at"]?.string.flatMap(Timestamp.normal).map { RecordedFacts(at: $0) }
    var recorded = try exchange.interaction(&notes)
    let match = Placeholders.match(recorded.pathAndQuery)
    if !match.isEmpty { recorded.match = match }
    return [recorded]
  }

  /// Returns the value of a member of a Python enumeration such as `http.HTTPStatus`; other values are unchanged.
  private static func plain(_ value: JSONValue?) -> JSONValue? {
    guard let value, value[YAMLReader.tag] != nil else { return value }
    return value[YAMLReader.value]?.elements.first
  }

  /// Reads header fields from an object with one or several values per name, from pairs, or from lines, as old versions
  /// of vcrpy wrote them.
  static func fields(_ headers: JSONValue?) -> [(String, String)] {
    (headers?.elements ?? []).flatMap { element -> [(String, String)] in
      if let line = element.string, let colon = line.firstIndex(of: ":") {
        let value = line[colon...].dropFirst().trimmingPrefix { $0.isWhitespace }
        return [(String(line[..<colon]), String(value.prefix { !$0.isNewline }))]
      }
      let pair = element.elements
      guard pair.count == 2, let name = pair[0].string else { return [] }
      return pair[1].strings.map { (name, $0) }
    } + (headers?.members ?? []).flatMap { member in member.value.strings.map { (member.name, $0) } }
  }
}
