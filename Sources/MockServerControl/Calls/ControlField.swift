/// A query parameter or a member of a body.
struct ControlField: Sendable {
  enum Kind: String, Sendable {
    case string, integer, boolean, object, array
  }

  let name: String
  /// The type of the value; nil if several types are allowed.
  let kind: Kind?
  let summary: String

  init(_ name: String, _ kind: Kind?, _ summary: String) {
    (self.name, self.kind, self.summary) = (name, kind, summary)
  }
}

/// The body that a call accepts.
enum ControlContent: Sendable {
  case none
  /// An object with these members, all of which are optional.
  case members([ControlField])
  /// An interaction or an array of interactions, which the parser of cassettes validates.
  case interactions
}
