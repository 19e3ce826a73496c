internal import CassetteSystem

/// The layout of JSON: the white space between its tokens.
public enum JSONStyle: String, CaseIterable, Sendable {
  /// No white space at all: `{"a":[1,2]}`.
  case compact
  /// A space after each comma and colon, as Python's `json.dumps` writes: `{"a": [1, 2]}`.
  case spaced
  /// A line for each member and element, two spaces a level, as `JSON.stringify(value, null, 2)` writes.
  case indent2
  /// A line for each member and element, four spaces a level.
  case indent4

  /// Appends a value's tokens in this style, each exactly as it is written.
  ///
  /// Escapes, digits, duplicate names and their order stay. Empty arrays and objects are `[]` and `{}` in every style.
  /// Text that is not JSON comes out as other text that is not JSON.
  public func render(_ json: Span<UInt8>, into output: inout [UInt8]) {
    render(json, into: &output, depth: 0)
  }

  /// Returns a value in this style, with a line feed behind it: the text of a file.
  package func file(of json: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    render(json.span, into: &output)
    return output + [0x0a]
  }

  /// Finds the style that gives these very bytes, and if a line feed follows; nil for what is not JSON or in no style.
  public static func detect(_ json: Span<UInt8>) -> (JSONStyle, newline: Bool)? {
    var end = 0
    // Nested in a cassette, the value must still be within the depth any reader allows.
    do { try JSONScanner.skipValue(in: json, at: &end, depthLimit: JSONScanner.depthLimit - 32) } catch { return nil }
    let newline = end + 1 == json.count && json[end] == 0x0a
    guard newline || end == json.count else { return nil }
    let value = json.extracting(0..<end)
    if isCompact(value) { return (.compact, newline) }
    var rendered: [UInt8] = []
    rendered.reserveCapacity(end)
    for style in allCases where style != .compact {
      rendered.removeAll(keepingCapacity: true)
      style.render(value, into: &rendered)
      if rendered.span.equals(value) { return (style, newline) }
    }
    return nil
  }

  /// Tells whether a valid value has no white space between its tokens.
  private static func isCompact(_ json: Span<UInt8>) -> Bool {
    var at = 0
    while at < json.count {
      if json[at] == UInt8(ascii: "\"") {
        do { try JSONScanner.skipString(in: json, at: &at) } catch { return false }
        continue
      }
      if json[at] <= 0x20 { return false }
      at += 1
    }
    return true
  }

  /// Appends a value that is inside of something already indented by some levels.
  package func render(_ json: Span<UInt8>, into output: inout [UInt8], depth: Int) {
    var depth = depth
    var at = 0
    while at < json.count {
      let byte = json[at]
      switch byte {
      case UInt8(ascii: "\""):
        let start = at
        // Broken strings end with the text; a valid value has none.
        do { try JSONScanner.skipString(in: json, at: &at) } catch { at = json.count }
        output.append(json, start..<at)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        var next = at + 1
        JSONScanner.skipWhitespace(in: json, at: &next)
        // `{` and `}` differ by two, as `[` and `]` do.
        if next < json.count, json[next] == byte + 2 {
          output.append(byte + 2)
          at = next
        } else {
          depth += 1
          newLine(depth, &output)
        }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth = max(0, depth - 1)
        newLine(depth, &output)
        output.append(byte)
      case UInt8(ascii: ","):
        output.append(byte)
        if self == .spaced { output.append(0x20) } else { newLine(depth, &output) }
      case UInt8(ascii: ":"):
        output.append(byte)
        if self != .compact { output.append(0x20) }
      case 0x20, 0x0a, 0x0d, 0x09:
        JSONScanner.skipWhitespace(in: json, at: &at)
        continue
      default:
        output.append(byte)
      }
      at += 1
    }
  }

  private func newLine(_ depth: Int, _ output: inout [UInt8]) {
    let spaces: Int
    switch self {
    case .compact, .spaced: return
    case .indent2: spaces = 2
    case .indent4: spaces = 4
    }
    output.append(0x0a)
    // From memory to memory: of spaces that are made one by one a debug build makes few.
    var rest = spaces * depth
    while rest > 0 {
      let count = min(rest, Self.spaces.utf8CodeUnitCount)
      output.append(contentsOf: UnsafeBufferPointer(start: Self.spaces.utf8Start, count: count))
      rest -= count
    }
  }

  private static let spaces: StaticString = "                                "
}

extension [UInt8] {
  /// Appends part of a span.
  package mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    bytes.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
