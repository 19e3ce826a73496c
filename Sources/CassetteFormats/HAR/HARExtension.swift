internal import CassetteHTTP
import CassetteJSON
import Cassettes

/// Stores data of a cassette that HAR cannot represent in one extension member of each entry.
///
/// Readers of HAR ignore members that begin with an underscore. A single object avoids conflicts with the extension
/// members of other tools. Its member `interaction` is the recording in the format of a cassette, without the fields and
/// bodies, which are in the entry.
enum HARExtension {
  static let name = "_mockserver"

  /// Returns the extension member of an entry.
  static func member(of interaction: Interaction, target: String?) throws(CassetteError) -> [UInt8] {
    var rest = interaction
    let facts = interaction.recorded
    let (start, wait, receive) = HARTimes.entry(of: facts)
    if facts == HARTimes.facts(start: start, firstByte: wait, total: wait + receive) { rest.recorded = nil }
    (rest.url, rest.requestHeaders, rest.requestBody) = ("/", [], nil)
    let response = interaction.response
    if var response {
      (response.headers, response.body, response.coding) = ([], nil, nil)
      if response.reason != "" { response.reason = nil }
      rest.outcome = .response(response)
    }
    let cassette = JSONValue(try CassetteFile.compactBytes(of: rest, isReadable: true))
    return JSONWriter.object { member in
      member.member("interaction", json: cassette?["interactions"]?.elements.first?.bytes ?? [])
      if let target { member.member("url", target) }
      if !interaction.hasRequestBody, !interaction.lacksRequestBody { member.member("anyBody", true) }
      // An encoded body is written in Base64, and stays encoded when it is imported.
      if response?.headers["Content-Encoding"] != nil { member.member("encoded", true) }
      if case .chunks(let chunks, let end)? = response?.body?.form {
        member.array("chunks", of: chunks) { chunk, item in
          item.member("after", chunk.after)
          item.member("size", chunk.bytes.count)
        }
        if end != .complete { member.member("end", end.rawValue) }
      }
    }
  }

  /// Returns the origin of the cassette: empty for a cassette without an origin, nil if the member does not contain it.
  static func origin(_ member: SourceValue, _ notes: inout ImportNotes) -> String? {
    guard member.isObject else {
      notes.leave("\(name), which is not an object")
      return nil
    }
    guard let origin = member["origin"] else { return nil }
    if origin.string == "" { return "" }
    // A user name and password are not part of an origin (RFC 6454 §4).
    guard let text = origin.string.flatMap(RecordedTarget.origin), CassetteFileGrammar.isOrigin(text) else {
      notes.leave("\(name).origin, which is invalid")
      return nil
    }
    return text
  }

  /// Adds the data of the extension member to an exchange that has been read from the standard members.
  ///
  /// Another tool may use the same name, and users may edit the file: an invalid part is noted and skipped.
  static func read(_ member: SourceValue, into exchange: inout Exchange, _ notes: inout ImportNotes) {
    guard member.isObject else { return notes.leave("\(name), which is not an object", at: member) }
    if let interaction = member["interaction"] { read(interaction: interaction, into: &exchange, &notes) }
    if let url = member["url"]?.string.flatMap({ try? Exchange.target($0) }) { exchange.url = url }
    if member["anyBody"]?.isTrue == true { exchange.requestBody = nil }
    if member["encoded"]?.isTrue == true { exchange.coding = .kept }
    if let end = member["end"]?.string.flatMap(BodyEnd.init) { exchange.end = end }
    if let pieces = member["chunks"] {
      exchange.chunks = chunks(pieces.elements, of: exchange.body)
      if exchange.chunks == nil { notes.leave("\(name).chunks, which differ from the body", at: pieces) }
    }
  }

  private static func read(interaction: SourceValue, into exchange: inout Exchange, _ notes: inout ImportNotes) {
    let own: Interaction?
    do throws(CassetteError) {
      own = try CassetteFile.interactions(in: interaction.bytes, at: 0).interactions.first
    } catch {
      return notes.leave("\(name).interaction, which is invalid: \(error.message.prefix(200))", at: interaction)
    }
    guard let own else { return }
    exchange.id = interaction["id"]?.string ?? ""
    (exchange.note, exchange.match, exchange.replay) = (own.note, own.match, own.replay)
    (exchange.repeatPolicy, exchange.failure) = (own.repeatPolicy, own.failure)
    exchange.recorded = own.recorded ?? exchange.recorded
    guard let response = own.response else { return }
    (exchange.hasNoReason, exchange.isTemplate) = (response.reason == "", response.isTemplate)
    exchange.hasEmptyHeaders = response.hasEmptyHeaders
    exchange.interim = response.interim.map { ($0.status.code, pairs($0.headers)) }
    exchange.trailers = pairs(response.trailers)
  }

  private static func pairs(_ headers: HTTPHeaders) -> [(String, String)] { headers.map { ($0.name, $0.value) } }

  /// Splits a body into its recorded chunks; returns nil if their sizes do not add up because the body was edited.
  private static func chunks(_ pieces: [SourceValue], of body: [UInt8]) -> [BodyChunk]? {
    var rest = body[...]
    var chunks: [BodyChunk] = []
    for piece in pieces {
      guard let size = piece["size"]?.integer, size >= 0, size <= rest.count else { return nil }
      let after = piece["after"]?.number ?? 0
      chunks.append(BodyChunk(after: after.isFinite ? min(max(0, after), day) : 0, bytes: Array(rest.prefix(size))))
      rest = rest.dropFirst(size)
    }
    return rest.isEmpty ? chunks : nil
  }

  /// The maximum pause in a cassette, in seconds.
  private static let day = 86_400.0
}

/// Converts the times of HAR, which are in milliseconds, with a mandatory date.
enum HARTimes {
  /// The value of `startedDateTime` for an unknown time, because the member is mandatory.
  static let unknown = "1970-01-01T00:00:00Z"

  /// Returns the recorded time of an entry, or nil if nothing is known.
  ///
  /// - `firstByte`: The time until the first byte of the response, in milliseconds.
  /// - `total`: The duration of the whole exchange, in milliseconds.
  static func facts(start: String?, firstByte: Double?, total: Double?) -> RecordedFacts? {
    var facts = RecordedFacts()
    if let at = start.flatMap(Timestamp.normal), !at.hasPrefix(unknown.dropLast()) { facts.at = at }
    if let firstByte, firstByte > 0 { facts.firstByte = seconds(firstByte) }
    if let total, total > 0 { facts.total = seconds(total) }
    return facts == RecordedFacts() ? nil : facts
  }

  /// Returns the date of an entry, and its `wait` and `receive` times in milliseconds.
  static func entry(of facts: RecordedFacts?) -> (start: String, wait: Double, receive: Double) {
    let wait = facts?.firstByte ?? 0
    return (
      facts?.at.flatMap(Timestamp.normal) ?? unknown, milliseconds(wait),
      milliseconds(max(0, (facts?.total ?? wait) - wait))
    )
  }

  /// Converts milliseconds to seconds, rounded to microseconds to remove errors of the division.
  private static func seconds(_ milliseconds: Double) -> Double? {
    guard milliseconds.isFinite, milliseconds < 1e9 else { return nil }
    return (milliseconds * 1000).rounded() / 1_000_000
  }

  private static func milliseconds(_ seconds: Double) -> Double {
    seconds.isFinite && seconds > 0 ? (seconds * 1_000_000).rounded() / 1000 : 0
  }
}
