import CassetteHTTP
import CassetteJSON
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
}
