internal import CassetteSecrets
internal import Cassettes

/// A difference between a request and a recorded one.
public struct Mismatch: Hashable, Sendable, CustomStringConvertible {
  /// The part that differs: `method`, `path`, `query.page`, `header.Accept`, `body.$.title`, `state.cart`.
  public let part: String
  /// The sent value, secrets masked but for those in a path; nil when nothing was sent.
  public let sent: String?
  /// The recorded value, secrets masked but for those in a path; nil when nothing is recorded.
  public let recorded: String?

  /// The value that a rule of the recording asks for instead, in words; nil when there is no rule.
  public let wanted: String?
  /// True if both values look as if they were made anew at each call: a UUID, a time.
  package var isGenerated = false

  /// The part that stands for what rules cost, not for a part of the request.
  package static let patterns = "patterns"

  package init(part: String, sent: String?, recorded: String? = nil, wanted: String? = nil, isGenerated: Bool = false) {
    // A secret may stand in a name, too.
    self.part = part.utf8.count < 24 ? part : SecretNames.masked(body: part, contentType: nil)
    self.sent = sent
    self.recorded = recorded
    self.wanted = wanted
    self.isGenerated = isGenerated
  }

  /// The difference as one from an expected request, where nothing is recorded.
  package var expected: Mismatch {
    guard wanted == nil else { return self }
    return Mismatch(part: part, sent: sent, wanted: recorded.map { "\(quoted($0))" } ?? "nothing")
  }

  /// The difference in words, control characters escaped: `query.page: sent "3", recorded "2"`.
  public var description: String {
    let part = Printable.escaped(part)
    if let wanted {
      if part == Self.patterns { return "\(part): \(wanted)" }
      if part.hasPrefix("state.") {
        return "\(part): is \"\(Printable.escaped(sent ?? ""))\", wanted \"\(Printable.escaped(wanted))\""
      }
      return "\(part): \(sent.map { "sent \(quoted($0))" } ?? "not sent"), wanted \(Printable.escaped(wanted))"
    }
    return switch (sent, recorded) {
    case (let sent?, let recorded?): "\(part): sent \(quoted(sent)), recorded \(quoted(recorded))"
    case (let sent?, nil): "\(part): sent \(quoted(sent)), not recorded"
    case (nil, let recorded?): "\(part): not sent, recorded \(quoted(recorded))"
    case (nil, nil): "\(part): differs"
    }
  }

  private func quoted(_ text: String) -> String {
    if part == "path" { return "\"\(Printable.escaped(SecretNames.masked(url: text)))\"" }
    // Values of a JSON body come as JSON already.
    return part.hasPrefix("body.") || part.hasPrefix("form.")
      ? Printable.escaped(text) : "\"\(Printable.escaped(text))\""
  }
}
