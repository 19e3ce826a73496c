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
}

/// The content that a call takes.
enum ControlContent: Sendable {
  case none
  /// An object with these members, each of which may be left out.
  case members([ControlField])
  /// A cassette's interaction, or several: their own reader refuses what it does not know.
  case interactions
}
