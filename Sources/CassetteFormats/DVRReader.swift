import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// venmo/DVR's cassettes, and Vinyl's, which are the list alone.
enum DVRReader {
  /// The recording of one interaction.
  static func interactions(of interaction: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let request = interaction["request"] else { throw Unusable("there is no \"request\"") }
    guard let url = request["url"]?.string else { throw Unusable("the request has no \"url\"") }
    guard let response = interaction["response"] else { throw Unusable("there is no \"response\"") }
    if let error = response["error"], response["status"] == nil {
      // Ours are the codes of URLError, too.
      if error["domain"]?.string == "NSURLErrorDomain", let code = error["code"]?.integer {
        var exchange = Exchange(method: request["method"]?.string ?? "GET", url: url, status: 0)
        exchange.requestHeaders = VCRReader.fields(request["headers"])
        if let sent = request["body"] { exchange.requestBody = body(sent, exchange.requestHeaders, &notes) }
        exchange.failure = RecordedFailure(code: code)
        return [try exchange.interaction(&notes)]
      }
      throw Unusable("it failed: \(error["domain"]?.string ?? "error") \(error["code"]?.scalar ?? "")")
    }
    if let error = response["error"] { notes.leave("response.error beside a response", at: error) }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    var exchange = Exchange(method: request["method"]?.string ?? "GET", url: url, status: status)
    exchange.requestHeaders = VCRReader.fields(request["headers"])
    // DVR leaves the member out where there is no `httpBody`, and for the content of an upload, too.
    if let sent = request["body"] { exchange.requestBody = body(sent, exchange.requestHeaders, &notes) }
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.body = body(response["body"], exchange.headers, &notes)
    exchange.recorded = interaction["recorded_at"]?.number.flatMap(Timestamp.at).map { RecordedFacts(at: $0) }
    return [try exchange.interaction(&notes)]
  }

  /// JSON as a value, text as text, and anything else as base64: the type tells which.
  private static func body(_ body: JSONValue?, _ headers: [(String, String)], _ notes: inout ImportNotes) -> [UInt8] {
    guard let body else { return [] }
    guard body.isString else { return body.compact }
    // A type with parameters that cannot be read is a type.
    let type = headers.first { $0.0.lowercased() == "content-type" }
      .flatMap { MediaType($0.1) ?? MediaType(String($0.1.prefix { $0 != ";" })) }
    let bytes = body.stringBytes
    // Without a type the recorder wrote text if it could.
    guard let type, type.type != "text", !type.isJSON else { return bytes }
    if let decoded = BodyBase64.decode(lines: bytes) { return decoded }
    notes.leave("bodies whose base64 is none, taken as text", at: body)
    return bytes
  }
}
