internal import CassetteHTTP
internal import CassetteJSON
import Cassettes

/// Stores data of a cassette that HAR cannot represent in one extension member of each entry.
///
/// Readers of HAR ignore members that begin with an underscore. A single object avoids conflicts with the extension
/// members of other tools.
enum HARExtension {
  static let name = "_mockserver"

  /// Writes the extension member.
  static func write(_ interaction: Interaction, target: String?, to entry: inout JSONWriter) {
    let response = interaction.response
    let facts = interaction.recorded
    let (start, wait, receive) = HARTimes.entry(of: facts)
    let isTimed = facts == HARTimes.facts(start: start, firstByte: wait, total: wait + receive)
    entry.object(name) { member in
      if !interaction.id.isEmpty { member.member("id", interaction.id) }
      if let note = interaction.note { member.member("note", note) }
      if let target { member.member("url", target) }
      if interaction.requestBody == nil, Body.sent([], with: interaction.method) != nil {
        member.member("anyBody", true)
      }
      if !interaction.match.isEmpty { member.member("match", json: RuleNotation.text(of: interaction.match)) }
      if !interaction.replay.isEmpty { member.member("replay", json: RuleNotation.text(of: interaction.replay)) }
      if interaction.repeatPolicy != .last { member.member("repeat", interaction.repeatPolicy.rawValue) }
      if let facts, !isTimed {
        member.object("recorded") { recorded in
          if let at = facts.at { recorded.member("at", at) }
          if let firstByte = facts.firstByte { recorded.member("firstByte", firstByte) }
          if let total = facts.total { recorded.member("total", total) }
          if let by = facts.by { recorded.member("by", by) }
          if facts.isCut { recorded.member("cut", true) }
        }
      }
      if let failure = interaction.failure {
        member.object("failure") {
          $0.member("code", failure.code)
          $0.member("name", failure.name)
        }
      }
      if response?.reason == "" { member.member("reason", "") }
      // An encoded body is written in Base64, and stays encoded when it is imported.
      if response?.headers["Content-Encoding"] != nil { member.member("encoded", true) }
      if let interim = response?.interim, !interim.isEmpty {
        member.array("interim", of: interim) { response, item in
          item.member("status", response.status.code)
          HARWriter.fields(response.headers, "headers", &item)
        }
      }
      if let trailers = response?.trailers, !trailers.isEmpty { HARWriter.fields(trailers, "trailers", &member) }
      if case .chunks(let chunks, let end)? = response?.body?.form {
        member.array("chunks", of: chunks) { chunk, item in
          item.member("after", chunk.after)
          item.member("size", chunk.bytes.count)
        }
        if end != .complete { member.member("end", end.rawValue) }
      }
    }
  }

  // Reads the extension member leniently, because another tool may use the same name, and users may edit the file.
  //
  // A part that is invalid is noted and skipped; the rest of the entry is imported.

  /// Returns the origin of the cassette: empty for a cassette without an origin, nil if the member does not contain it.
  static func origin(_ member: JSONValue, _ notes: inout ImportNotes) -> String? {
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
  static func read(_ member: JSONValue, into exchange: inout Exchange, _ notes: inout ImportNotes) {
    guard member.isObject else { return notes.leave("\(name), which is not an object") }
    for (key, value) in member.members where !value.isNull {
      if !take(key, value, into: &exchange, &notes) { notes.leave("\(name).\(key), which is invalid", at: value) }
    }
    if let pieces = member["chunks"] {
      exchange.chunks = chunks(pieces.elements, of: exchange.body)
      if exchange.chunks == nil { notes.leave("\(name).chunks, which differ from the body") }
    }
  }

  /// Reads one part of the extension member; returns false if it is invalid.
  private static func take(
    _ key: String, _ value: JSONValue, into exchange: inout Exchange, _ notes: inout ImportNotes
  ) -> Bool {
    switch key {
    case "id": return set(&exchange.id, value.string)
    case "note":
      exchange.note = value.string
      return exchange.note != nil
    case "url": return set(&exchange.url, value.string.flatMap { try? Exchange.target($0) })
    case "anyBody":
      if value.isTrue { exchange.requestBody = nil }
      return value.isTrue
    case "match", "replay": return rules(key, value, into: &exchange, &notes)
    case "repeat": return set(&exchange.repeatPolicy, value.string.flatMap(RepeatPolicy.init))
    case "recorded":
      let facts = facts(value)
      exchange.recorded = facts ?? exchange.recorded
      return facts != nil
    case "failure":
      exchange.failure = failure(value)
      return exchange.failure != nil
    case "reason": return set(&exchange.hasNoReason, value.string == "" ? true : nil)
    case "encoded":
      if value.isTrue { exchange.coding = .kept }
      return value.isTrue
    case "interim": return interim(value, into: &exchange)
    case "trailers":
      exchange.trailers = HARReader.pairs(value)
      return value.isArray
    case "chunks": return value.isArray
    case "end": return set(&exchange.end, value.string.flatMap(BodyEnd.init))
    default:
      notes.leave("unknown members of \(name)", at: value)
      return true
    }
  }

  private static func set<Value>(_ place: inout Value, _ value: Value?) -> Bool {
    if let value { place = value }
    return value != nil
  }

  /// Reads `match` or `replay` in the syntax of a cassette.
  private static func rules(
    _ key: String, _ value: JSONValue, into exchange: inout Exchange, _ notes: inout ImportNotes
  ) -> Bool {
    do throws(CassetteError) {
      if key == "match" {
        exchange.match = try RuleNotation.match(value.bytes)
      } else {
        exchange.replay = try RuleNotation.replay(value.bytes)
      }
    } catch {
      notes.leave("\(name).\(key), which is invalid: \(error.message.prefix(200))")
    }
    return true
  }

  private static func facts(_ value: JSONValue) -> RecordedFacts? {
    let facts = RecordedFacts(
      at: value["at"]?.string, firstByte: value["firstByte"]?.number, total: value["total"]?.number,
      by: value["by"]?.string, isCut: value["cut"]?.isTrue ?? false)
    let areThere = [facts.at != nil, facts.firstByte != nil, facts.total != nil, facts.by != nil]
    guard value.isObject, areThere == ["at", "firstByte", "total", "by"].map({ value[$0] != nil }) else { return nil }
    let isTime = facts.at.map(Timestamp.isOne) ?? true
    let areSeconds = [facts.firstByte, facts.total].allSatisfy { $0.map { $0.isFinite && $0 >= 0 } ?? true }
    return isTime && areSeconds ? facts : nil
  }

  private static func failure(_ value: JSONValue) -> RecordedFailure? {
    guard let code = value["code"]?.integer, Int32(exactly: code) != nil else { return nil }
    return RecordedFailure(code: code, name: value["name"]?.string)
  }

  /// Reads interim responses; returns false if an invalid one or one with status 101 was skipped (RFC 9110 §15.2.2).
  private static func interim(_ value: JSONValue, into exchange: inout Exchange) -> Bool {
    for response in value.elements {
      guard let status = response["status"]?.integer, (100...199).contains(status), status != 101 else { continue }
      exchange.interim.append((status, HARReader.pairs(response["headers"])))
    }
    return value.isArray && exchange.interim.count == value.elements.count
  }

  /// Splits a body into its recorded chunks; returns nil if their sizes do not add up because the body was edited.
  private static func chunks(_ pieces: [JSONValue], of body: [UInt8]) -> [BodyChunk]? {
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
