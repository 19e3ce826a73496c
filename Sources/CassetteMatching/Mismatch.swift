internal import CassetteJSON
internal import CassetteSecrets
internal import CassetteSystem
internal import Cassettes

/// A difference between a request and a recording.
public struct Mismatch: Hashable, Sendable, CustomStringConvertible {
  /// The part that differs: `method`, `path`, `query.page`, `header.Accept`, `body.$.title`, `state.cart`.
  public let part: String
  /// The sent value, with secrets masked except in a path; nil if nothing was sent.
  public let sent: String?
  /// The recorded value, with secrets masked except in a path; nil if nothing is recorded.
  public let recorded: String?

  /// A description of the value that a rule of the recording requires; nil if no rule applies.
  public let wanted: String?
  /// True if both values appear to be generated at each call, such as a UUID or a time.
  package var isGenerated = false

  /// The part name for the cost of rules, which is not a part of the request.
  package static let patterns = "patterns"

  package init(part: String, sent: String?, recorded: String? = nil, wanted: String? = nil, isGenerated: Bool = false) {
    // A name may contain a secret, too.
    self.part = part.utf8.count < 24 ? part : SecretNames.masked(body: part, contentType: nil)
    self.sent = sent
    self.recorded = recorded
    self.wanted = wanted
    self.isGenerated = isGenerated
  }

  /// The mismatch described as a difference from an expected request, because nothing is recorded.
  package var expected: Mismatch {
    guard wanted == nil else { return self }
    return Mismatch(part: part, sent: sent, wanted: recorded.map { "\(quoted($0))" } ?? "nothing")
  }

  /// The description of the difference, with control characters escaped: `query.page: sent "3", recorded "2"`.
  public var description: String {
    let part = Printable.escaped(part)
    if let wanted {
      if part == Self.patterns { return "\(part): \(wanted)" }
      if part.hasPrefix("state.") {
        return "\(part): is \"\(Printable.escaped(sent ?? ""))\", wanted \"\(Printable.escaped(wanted))\""
      }
      return "\(part): \(sent.map { "sent \(quoted($0))" } ?? "not sent"), wanted \(Printable.escaped(wanted))"
    }
    if let sent, let recorded, sent == recorded, !sent.utf8.elementsEqual(recorded.utf8) {
      // Composed and decomposed letters look the same.
      return "\(part): sent \(Self.scalars(quoted(sent))), recorded \(Self.scalars(quoted(recorded)))"
    }
    return switch (sent, recorded) {
    case (let sent?, let recorded?): "\(part): sent \(quoted(sent)), recorded \(quoted(recorded))"
    case (let sent?, nil): "\(part): sent \(quoted(sent)), not recorded"
    case (nil, let recorded?): "\(part): not sent, recorded \(quoted(recorded))"
    case (nil, nil): "\(part): differs"
    }
  }

  /// Returns a text with all characters outside of ASCII as `\u{e9}`.
  private static func scalars(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII ? "\($0)" : "\\u{\(String($0.value, radix: 16))}" }.joined()
  }

  private func quoted(_ text: String) -> String {
    if part == "path" { return "\"\(Printable.escaped(SecretNames.masked(url: text)))\"" }
    // Values of JSON bodies are already in JSON notation.
    return part.hasPrefix("body.") || part.hasPrefix("form.")
      ? Printable.escaped(text) : "\"\(Printable.escaped(text))\""
  }
}

extension Mismatch {
  /// Returns true if a value contains text in base64, which may be truncated and therefore cannot be searched for
  /// secrets.
  private static func holdsCodedText(_ value: String) -> Bool {
    value.utf8.split { !BodyBase64.alphabet.contains($0) }.contains { run in
      run.count >= 24
        && (0..<4).contains { offset in
          let part = run.dropFirst(offset)
          return BodyBase64.decode(Array(part.prefix(part.count & ~3))).map { BodyText.isText($0.filter { $0 > 0 }) }
            ?? false
        }
    }
  }

  /// Creates the description of a difference between bodies, with secrets masked.
  package init(_ difference: BodyDifference) {
    let hides = difference.place.split { $0 == "." || $0 == "[" }.contains { SecretNames.isParameter($0) }
    func shown(_ value: String) -> String {
      hides || Self.holdsCodedText(value)
        ? "\"\(SecretNames.mask)\"" : SecretNames.masked(body: value, contentType: nil)
    }
    self.init(
      part: difference.place.isEmpty ? "body" : "body.\(difference.place)", sent: difference.sent.map(shown),
      recorded: difference.recorded.map(shown), isGenerated: difference.isGenerated)
  }
}
