import CassetteHTTP
internal import CassetteJSON
internal import CassetteSystem
import Cassettes

/// Reads the cassettes of venmo/DVR, and those of Vinyl, which consist of the list of interactions.
enum DVRReader {
  /// Converts one interaction to recordings.
  static func interactions(of interaction: JSONValue, _ notes: inout ImportNotes) throws(Unusable) -> [Interaction] {
    guard let request = interaction["request"] else { throw Unusable("there is no \"request\"") }
    guard let url = request["url"]?.string else { throw Unusable("the request has no \"url\"") }
    guard let response = interaction["response"] else { throw Unusable("there is no \"response\"") }
    if let error = response["error"], response["status"] == nil {
      // Cassettes also store failures as codes of `URLError`, so the code needs no translation.
      if error["domain"]?.string == "NSURLErrorDomain", let code = error["code"]?.integer {
        var exchange = Exchange(method: request["method"]?.string ?? "GET", url: url, status: 0)
        exchange.requestHeaders = VCRReader.fields(request["headers"])
        if let sent = request["body"] { exchange.requestBody = body(sent, exchange.requestHeaders, &notes) }
        exchange.failure = RecordedFailure(code: code)
        return [try exchange.interaction(&notes)]
      }
      throw Unusable("it failed: \(error["domain"]?.string ?? "error") \(error["code"]?.scalar ?? "")")
    }
    if let error = response["error"] { notes.leave("response.error in addition to a response", at: error) }
    guard let status = response["status"]?.integer else { throw Unusable("the response has no \"status\"") }
    var exchange = Exchange(method: request["method"]?.string ?? "GET", url: url, status: status)
    exchange.requestHeaders = VCRReader.fields(request["headers"])
    // DVR omits the member for requests without `httpBody`, which includes uploads.
    if let sent = request["body"] { exchange.requestBody = body(sent, exchange.requestHeaders, &notes) }
    exchange.headers = VCRReader.fields(response["headers"])
    exchange.body = body(response["body"], exchange.headers, &notes)
    exchange.recorded = interaction["recorded_at"]?.number.flatMap(Timestamp.at).map { RecordedFacts(at: $0) }
    return [try exchange.interaction(&notes)]
  }

  /// Decodes a body by its media type: JSON is a value, text is a string, and other types are Base64.
  private static func body(_ body: JSONValue?, _ headers: [(String, String)], _ notes: inout ImportNotes) -> [UInt8] {
    guard let body else { return [] }
    guard body.isString else { return body.compact }
    // If the parameters of a media type are invalid, the type is used without them.
    let type = headers.first { $0.0.lowercased() == "content-type" }
      .flatMap { MediaType($0.1) ?? MediaType(String($0.1.prefix { $0 != ";" })) }
    let bytes = body.stringBytes
    // Without a media type, DVR writes the body as a string if it is text.
    guard let type, type.type != "text", !type.isJSON else { return bytes }
    if let decoded = BodyBase64.decode(lines: bytes) { return decoded }
    notes.leave("bodies with invalid base64, imported as text", at: body)
    return bytes
  }
}
