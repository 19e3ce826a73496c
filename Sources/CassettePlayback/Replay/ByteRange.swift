/// The part of a body that a `Range` field asks for.
enum ByteRange: Equatable {
  /// A range of the body's bytes.
  case satisfiable(Range<Int>)
  /// A range outside of the body (RFC 9110 §15.5.17).
  case unsatisfiable
  /// Another unit, several ranges, or an invalid range: the whole body is sent (RFC 9110 §14.2).
  case ignored

  /// Parses a `Range` field for a body of `length` bytes (RFC 9110 §14.1.2).
  init(_ field: String, length: Int) {
    self = .ignored
    guard let equals = field.firstIndex(of: "="), field[..<equals].lowercased() == "bytes" else { return }
    let parts = field[field.index(after: equals)...].split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let first = Self.number(parts[0]), let last = Self.number(parts[1]) else { return }
    switch (first, last) {
    case (nil, nil): return
    case (nil, let suffix?):
      self = suffix == 0 || length == 0 ? .unsatisfiable : .satisfiable(max(0, length - suffix)..<length)
    case (let first?, nil): self = first < length ? .satisfiable(first..<length) : .unsatisfiable
    case (let first?, let last?):
      guard first <= last else { return }
      self = first < length ? .satisfiable(first..<(min(last, length - 1) + 1)) : .unsatisfiable
    }
  }

  /// Parses a number; returns `.some(nil)` if the string is empty, and nil if it is not a number.
  ///
  /// A number that overflows is clamped to the maximum.
  private static func number(_ text: Substring) -> Int?? {
    let text = text.drop { $0 == " " || $0 == "\t" }
    if text.isEmpty { return .some(nil) }
    guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return .some(Int(text) ?? Int.max)
  }
}
