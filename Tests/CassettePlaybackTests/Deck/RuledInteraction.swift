import TestSupport
import Testing

@testable import Cassettes

extension Interaction {
  /// Returns a recording of a line such as `GET /a?b=1`, with rules and an id.
  static func ruled(
    _ line: String, id: String, match: String? = nil, replay: String? = nil, sent: String? = nil
  ) throws -> Interaction {
    let words = line.split(separator: " ")
    let more = [match.map { "\"match\":{\($0)}" }, replay.map { "\"replay\":{\($0)}" }].compactMap(\.self)
    let body = sent.map { ",\"body\":{\"json\":\($0)}" } ?? ""
    let text = cassette(
      request: "{\"method\":\"\(words[0])\",\"url\":\"\(words[1])\"\(body)}", more: more.joined(separator: ","))
    var interaction = try #require(try read(text).interactions.first)
    interaction.id = id
    return interaction
  }
}
