/// One thing in which a request differs from a recorded one.
public struct Mismatch: Hashable, Sendable, CustomStringConvertible {
  /// What differs: `method`, `path`, `query.page`, `header.Accept`, `body.$.title`.
  public let part: String
  /// What was sent, secrets masked; nil when nothing was.
  public let sent: String?
  /// What is recorded, secrets masked; nil when nothing is.
  public let recorded: String?

  /// The difference in words, control characters escaped: `query.page: sent "3", recorded "2"`.
  public var description: String {
    let part = Printable.escaped(part)
    return switch (sent, recorded) {
    case (let sent?, let recorded?): "\(part): sent \(quoted(sent)), recorded \(quoted(recorded))"
    case (let sent?, nil): "\(part): sent \(quoted(sent)), not recorded"
    case (nil, let recorded?): "\(part): not sent, recorded \(quoted(recorded))"
    case (nil, nil): "\(part): differs"
    }
  }

  private func quoted(_ text: String) -> String {
    // Values of a JSON body come as JSON already.
    part.hasPrefix("body.") ? Printable.escaped(text) : "\"\(Printable.escaped(text))\""
  }
}
