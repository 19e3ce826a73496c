/// The documented answer that a request would like: `Prefer: code=404, example=cat, dynamic=true` (RFC 7240).
package struct ResponsePreference: Hashable, Sendable {
  /// The status.
  package var code: Int?
  /// The name of an example.
  package var example: String?
  /// True to make the content at random.
  package var isDynamic: Bool?

  /// Reads the values of `Prefer` fields; of several preferences of a name the first counts (RFC 7240 §2).
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

  /// The preferences as a field `Preference-Applied` has them; nil without any.
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
