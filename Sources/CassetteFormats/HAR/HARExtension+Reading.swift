internal import CassetteHTTP
internal import CassetteJSON
import Cassettes

/// Reads the extension member leniently, because another tool may use the same name, and users may edit the file.
///
/// A part that is invalid is noted and skipped; the rest of the entry is imported.
extension HARExtension {
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
