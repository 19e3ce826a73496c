import CassetteFormatMembers
import CassetteJSON

extension KnownMembers {
  /// Names everything in a value that no reader takes over and that is not known to carry nothing.
  func check(_ value: JSONValue, _ notes: inout ImportNotes) {
    guard notes.findsUnknown else { return }
    check(value) { notes.leave($0, at: $1) }
  }

  /// Names the unknown members of a value around the recordings; nil for one too long to be kept.
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
