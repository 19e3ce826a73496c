/// The documented response that a request prefers: `Prefer: code=404, example=cat, dynamic=true` (RFC 7240).
package struct ResponsePreference: Hashable, Sendable {
  /// The preferred status code.
  package var code: Int?
  /// The name of the preferred example.
  package var example: String?
  /// True to generate the content at random.
  package var isDynamic: Bool?

  /// Parses the values of `Prefer` fields; of several preferences with the same name, the first counts (RFC 7240 §2).
  package init(_ values: [String]) {
    for item in values.flatMap({ $0.split { $0 == "," || $0 == ";" } }) {
      let parts = item.split(separator: "=", maxSplits: 1).map { part in
        part.drop { $0 == " " || $0 == "\t" || $0 == "\"" }.reversed().drop { $0 == " " || $0 == "\t" || $0 == "\"" }
      }
      guard let first = parts.first else { continue }
      let name = String(first.reversed()).lowercased()
      let value = parts.count > 1 ? String(parts[1].reversed()) : ""
      switch name {
      case "code": if code == nil { code = Int(value) }
      case "example": if example == nil { example = value }
      case "dynamic": if isDynamic == nil { isDynamic = value != "false" }
      default: continue
      }
    }
  }

  /// The value of a `Preference-Applied` field; nil if there are no preferences.
  package var applied: String? {
    var parts: [String] = []
    if let code { parts.append("code=\(code)") }
    if let example, example.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x2c }) {
      parts.append("example=\(example)")
    }
    if let isDynamic { parts.append("dynamic=\(isDynamic)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
