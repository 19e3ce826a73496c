/// One thing in which a request differs from a recorded one.
public struct Mismatch: Hashable, Sendable, CustomStringConvertible {
  /// What differs: `method`, `path`, `query.page`, `header.Accept`, `body.$.title`.
  public let part: String
  /// What was sent, secrets masked; nil when nothing was.
  public let sent: String?
  /// What is recorded, secrets masked; nil when nothing is.
  public let recorded: String?

  /// The difference in words: `query.page: sent "3", recorded "2"`.
  public var description: String {
    switch (sent, recorded) {
    case (let sent?, let recorded?): "\(part): sent \(quoted(sent)), recorded \(quoted(recorded))"
    case (let sent?, nil): "\(part): sent \(quoted(sent)), not recorded"
    case (nil, let recorded?): "\(part): not sent, recorded \(quoted(recorded))"
    case (nil, nil): "\(part): differs"
    }
  }

  private func quoted(_ text: String) -> String {
    // Values of a JSON body come as JSON already.
    let text = Self.printable(text)
    return part.hasPrefix("body.") ? text : "\"\(text)\""
  }

  /// A client chooses what a person reads in a terminal: nothing in it may be a control character.
  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory == .control {
        shown += scalar.escaped(asASCII: true)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
