/// A query parameter, or a member of a body.
struct ControlField: Sendable {
  enum Kind: String, Sendable {
    case string, integer, boolean, object, array
  }

  let name: String
  /// Nil for one that may be of several kinds.
  let kind: Kind?
  let summary: String

  init(_ name: String, _ kind: Kind?, _ summary: String) {
    (self.name, self.kind, self.summary) = (name, kind, summary)
  }

  /// A name as one segment of a path (RFC 3986 §2.3).
  static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      let letter = Character(Unicode.Scalar(byte))
      if byte < 128, letter.isLetter || letter.isNumber || "-._~".contains(letter) { return String(letter) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

/// The content that a call takes.
enum ControlContent: Sendable {
  case none
  /// An object with these members, each of which may be left out.
  case members([ControlField])
  /// A cassette's interaction, or several: their own reader refuses what it does not know.
  case interactions
}
