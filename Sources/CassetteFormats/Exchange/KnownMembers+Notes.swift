import CassetteJSON

extension KnownMembers {
  /// Notes the members of a value that are neither imported nor known to be irrelevant.
  func check(_ value: JSONValue, _ notes: inout ImportNotes) {
    guard notes.findsUnknown else { return }
    check(value) { notes.leave($0, at: $1) }
  }

  /// Notes the unknown members of a value next to the recordings.
  ///
  /// The value is nil if it was too long to be read.
  static func check(_ value: JSONValue?, _ known: KnownMembers?, at path: [String], _ notes: inout ImportNotes) {
    guard notes.findsUnknown else { return }
    guard let known else { return notes.leave("\(text(path)), which is not known", at: value) }
    guard let value else {
      if case .harmless = known { return }
      return notes.leave("\(text(path)) of more than 64 KB")
    }
    known.check(value, at: path) { notes.leave($0, at: $1) }
  }
}
