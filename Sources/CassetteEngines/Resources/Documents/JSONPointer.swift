internal import CassetteJSON

/// A JSON Pointer: `/items/0/a~1b` (RFC 6901).
package struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The unescaped steps.
  ///
  /// An array element has its index, or `-` for the position after the last element.
  package let steps: [[UInt8]]
  /// The pointer in its escaped form.
  package let description: String

  /// Parses a pointer; returns nil if its syntax is invalid.
  package init?(_ text: String) {
    description = text
    guard !text.isEmpty else {
      steps = []
      return
    }
    guard text.hasPrefix("/") else { return nil }
    var steps: [[UInt8]] = []
    for step in text.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      var bytes: [UInt8] = []
      var isEscaped = false
      for byte in step {
        if isEscaped {
          // RFC 6901 §3: `~0` and `~1` are the only escape sequences.
          guard byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") else { return nil }
          bytes.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
          isEscaped = false
        } else if byte == UInt8(ascii: "~") {
          isEscaped = true
        } else {
          bytes.append(byte)
        }
      }
      guard !isEscaped else { return nil }
      steps.append(bytes)
    }
    self.steps = steps
  }

  /// Creates a pointer from unescaped steps.
  init(steps: [[UInt8]]) {
    self.steps = steps
    description = steps.map { "/" + SchemaPointer.escaped(String(decoding: $0, as: UTF8.self)) }.joined()
  }

  /// Returns true if `other` refers to a value inside the value of this pointer.
  func contains(_ other: JSONPointer) -> Bool { other.steps.count > steps.count && other.steps.starts(with: steps) }

  /// Returns the array index in a step, or nil unless the step consists of digits without leading zeros (RFC 6901 §4).
  static func index(_ step: [UInt8]) -> Int? {
    guard !step.isEmpty, step.count < 10, step.allSatisfy({ (0x30...0x39).contains($0) }),
      step.count == 1 || step[0] != 0x30
    else { return nil }
    return Int(String(decoding: step, as: UTF8.self))
  }
}
