/// The way from a JSON text's root to a value in it: `$.a[0]["b c"]`.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// One step down.
  public enum Step: Hashable, Sendable {
    /// To an object's member.
    case member(String)
    /// To an array's element, counted from zero.
    case element(Int)
  }

  /// The steps, from the root.
  public var steps: [Step]

  /// The path of these steps.
  ///
  /// - Parameter steps: The steps, from the root.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// Reads a path as ``description`` writes it.
  ///
  /// - Parameter text: `$`, then `.name`, `[0]` or `["any name"]` for each step.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.first == UInt8(ascii: "$") else { return nil }
    steps = []
    var at = 1
    while at < bytes.count {
      if bytes[at] == UInt8(ascii: ".") {
        let start = at + 1
        at = bytes[start...].firstIndex { !Self.isPlain($0) } ?? bytes.count
        guard at > start else { return nil }
        steps.append(.member(String(decoding: bytes[start..<at], as: UTF8.self)))
      } else if bytes[at] == UInt8(ascii: "["), at + 1 < bytes.count {
        at += 1
        let start = at
        if bytes[at] == UInt8(ascii: "\"") {
          do { try JSONScanner.skipString(in: bytes.span, at: &at) } catch { return nil }
          guard let name = JSONString.decode(bytes.span.extracting(start + 1..<at - 1)) else { return nil }
          steps.append(.member(name))
        } else {
          at = bytes[start...].firstIndex(of: UInt8(ascii: "]")) ?? bytes.count
          let digits = bytes[start..<at]
          guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
            let index = Int(String(decoding: digits, as: UTF8.self))
          else { return nil }
          steps.append(.element(index))
        }
        guard at < bytes.count, bytes[at] == UInt8(ascii: "]") else { return nil }
        at += 1
      } else {
        return nil
      }
    }
  }

  /// The path as text, with names in brackets and quotes where they are not plain words.
  public var description: String {
    var text = "$"
    for step in steps {
      switch step {
      case .element(let index):
        text += "[\(index)]"
      case .member(let name) where !name.isEmpty && name.utf8.allSatisfy(Self.isPlain):
        text += ".\(name)"
      case .member(let name):
        text += "[\(String(decoding: JSONString.encode(name), as: UTF8.self))]"
      }
    }
    return text
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), 0x80...:
      true
    default:
      false
    }
  }
}
