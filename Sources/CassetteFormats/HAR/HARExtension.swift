import Cassettes
import HTTP
import JSONText

/// What a cassette knows and HAR has no word for, in one member of an entry that HAR's readers skip.
///
/// Other tools have members of their own that begin with an underscore; one object with our name meets none of them.
enum HARExtension {
  static let name = "_mockserver"

  // MARK: Writing

  /// Adds what is true of the whole: the origin, or that there is none.
  static func write(origin: String?, to log: inout JSONWriter) { log.member("origin", origin ?? "") }

  /// Adds the member.
  static func write(_ interaction: Interaction, target: String?, to entry: inout JSONWriter) {
    let response = interaction.response
    let facts = interaction.recorded
    let (start, wait, receive) = HARTimes.entry(of: facts)
    let isTimed = facts == HARTimes.facts(start: start, firstByte: wait, total: wait + receive)
    entry.object(name) { member in
      if !interaction.id.isEmpty { member.member("id", interaction.id) }
      if let target { member.member("url", target) }
      if interaction.repeatPolicy != .last { member.member("repeat", interaction.repeatPolicy.rawValue) }
      if let facts, !isTimed {
        member.object("recorded") { recorded in
          if let at = facts.at { recorded.member("at", at) }
          if let firstByte = facts.firstByte { recorded.member("firstByte", firstByte) }
          if let total = facts.total { recorded.member("total", total) }
        }
      }
      if let failure = interaction.failure {
        member.object("failure") {
          $0.member("code", failure.code)
          $0.member("name", failure.name)
        }
      }
      if response?.reason == "" { member.member("reason", "") }
      // What is still encoded is no text, and stays so.
      if response?.headers["Content-Encoding"] != nil { member.member("encoded", true) }
      if let interim = response?.interim, !interim.isEmpty {
        member.array("interim") { list in
          for response in interim {
            list.object {
              $0.member("status", response.status.code)
              HARWriter.fields(response.headers, "headers", &$0)
            }
          }
        }
      }
      if let trailers = response?.trailers, !trailers.isEmpty { HARWriter.fields(trailers, "trailers", &member) }
      if case .chunks(let chunks, let end)? = response?.body?.form {
        member.array("chunks") { list in
          for chunk in chunks {
            list.object {
              $0.member("after", chunk.after)
              $0.member("size", chunk.bytes.count)
            }
          }
        }
        if end != .complete { member.member("end", end.rawValue) }
      }
    }
  }

  // MARK: Reading

  /// The cassette's origin; empty when it has none, nil when that is not said.
  static func origin(_ member: JSONValue) -> String? {
    guard let origin = member["origin"]?.string else { return nil }
    // A name and a password are no part of an origin (RFC 6454 §4).
    if origin.contains("@") { return nil }
    return origin.isEmpty ? origin : RecordedTarget.origin(of: origin)
  }

  /// Brings what the member says into an exchange that has all the rest.
  static func read(_ member: JSONValue, into exchange: inout Exchange) {
    exchange.id = member["id"]?.string ?? exchange.id
    exchange.url = member["url"]?.string ?? exchange.url
    if let policy = member["repeat"]?.string.flatMap(RepeatPolicy.init) { exchange.repeatPolicy = policy }
    if let recorded = member["recorded"] {
      exchange.recorded = RecordedFacts(
        at: recorded["at"]?.string, firstByte: recorded["firstByte"]?.number, total: recorded["total"]?.number)
    }
    if let code = member["failure"]?["code"]?.integer {
      exchange.failure = RecordedFailure(code: code, name: member["failure"]?["name"]?.string)
    }
    exchange.hasNoReason = member["reason"]?.string == ""
    if member["encoded"]?.isTrue == true { exchange.coding = .kept }
    for interim in member["interim"]?.elements ?? [] {
      guard let status = interim["status"]?.integer, (100...199).contains(status) else { continue }
      exchange.interim.append((status, HARReader.pairs(interim["headers"])))
    }
    exchange.trailers = HARReader.pairs(member["trailers"])
    if let pieces = member["chunks"]?.elements { exchange.chunks = chunks(pieces, of: exchange.body) }
    exchange.end = member["end"]?.string.flatMap(BodyEnd.init) ?? .complete
  }

  /// The pieces of a body; nil when they do not make up the whole, as somebody changed its text.
  private static func chunks(_ pieces: [JSONValue], of body: [UInt8]) -> [BodyChunk]? {
    var rest = body[...]
    var chunks: [BodyChunk] = []
    for piece in pieces {
      guard let size = piece["size"]?.integer, size >= 0, size <= rest.count else { return nil }
      let after = piece["after"]?.number ?? 0
      chunks.append(BodyChunk(after: after.isFinite ? max(0, after) : 0, bytes: Array(rest.prefix(size))))
      rest = rest.dropFirst(size)
    }
    return rest.isEmpty ? chunks : nil
  }
}
