internal import CassetteSystem

/// The layout of JSON: the white space between its tokens.
public enum JSONStyle: String, CaseIterable, Sendable {
  /// No white space: `{"a":[1,2]}`.
  case compact
  /// A space after each comma and colon, as Python's `json.dumps` writes: `{"a": [1, 2]}`.
  case spaced
  /// One line per member and element, indented by two spaces, as `JSON.stringify(value, null, 2)` writes.
  case indent2
  /// One line per member and element, indented by four spaces.
  case indent4

  /// Appends a value in this style; its tokens are copied unchanged.
  ///
  /// Escapes, digits, duplicate names and their order are preserved. Empty arrays and objects are `[]` and `{}` in
  /// every style. Text that is not JSON results in other text that is not JSON.
  public func render(_ json: Span<UInt8>, into output: inout [UInt8]) {
    render(json, into: &output, depth: 0)
  }

  /// Returns a value in this style, followed by a line feed, as the contents of a file.
  package func file(of json: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    render(json.span, into: &output)
    return output + [0x0a]
  }

  /// Returns the style of a value, and whether a line feed follows, or nil if the value is not in any style exactly.
  public static func detect(_ json: Span<UInt8>) -> (JSONStyle, newline: Bool)? {
    var end = 0
    // The margin allows the value to be nested in a cassette within the depth limit.
    do { try JSONScanner.skipValue(in: json, at: &end, depthLimit: JSONScanner.depthLimit - 32) } catch { return nil }
    let newline = end + 1 == json.count && json[end] == 0x0a
    guard newline || end == json.count else { return nil }
    let value = json.extracting(0..<end)
    var rendered: [UInt8] = []
    rendered.reserveCapacity(end)
    for style in allCases {
      rendered.removeAll(keepingCapacity: true)
      style.render(value, into: &rendered)
      if rendered.span.equals(value) { return (style, newline) }
    }
    return nil
  }

  /// Appends a value that is nested at `depth` levels of indentation.
  package func render(_ json: Span<UInt8>, into output: inout [UInt8], depth: Int) {
    var depth = depth
    var at = 0
    while at < json.count {
      let byte = json[at]
      switch byte {
      case UInt8(ascii: "\""):
        let start = at
        // Only invalid JSON has an unclosed string, which is copied up to the end.
        do { try JSONScanner.skipString(in: json, at: &at) } catch { at = json.count }
        output.append(json, start..<at)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        output.append(byte)
        var next = at + 1
        JSONScanner.skipWhitespace(in: json, at: &next)
        // In ASCII, `}` is `{` plus two, and `]` is `[` plus two.
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
    output.append(contentsOf: repeatElement(0x20, count: spaces * depth))
  }
}

extension [UInt8] {
  /// Appends a part of a span.
  package mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
    bytes.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}
