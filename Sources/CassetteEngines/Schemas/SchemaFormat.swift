internal import CassetteHTTP
internal import CassettePatterns
internal import CassetteSystem

/// The formats that are validated; all other formats are annotations.
package enum SchemaFormat: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date, time, duration, email, hostname, ipv4, ipv6, uri, uuid, regex
  case uriReference = "uri-reference"
  case jsonPointer = "json-pointer"
  case relativeJSONPointer = "relative-json-pointer"

  /// Returns true if a string has this format.
  package func accepts(_ text: [UInt8]) -> Bool {
    switch self {
    case .date: return ISOTime(text[...]).map { $0.isDate && $0.isWhole } ?? false
    case .time: return Self.isDateTime(Array("1970-01-01T".utf8) + text)
    case .dateTime: return Self.isDateTime(text)
    case .ipv4: return IPAddress.isV4(text[...])
    case .ipv6: return IPAddress.isV6(text)
    case .regex: return (try? TextPattern(String(decoding: text, as: UTF8.self), in: .ecmaScript)) != nil
    case .hostname: return text.count <= 253 && matches(text)
    case .duration, .email, .uri, .uriReference, .uuid, .jsonPointer, .relativeJSONPointer: return matches(text)
    }
  }

  /// Returns true for a date and time of RFC 3339 §5.6; leap seconds only occur at the end of a day in UTC.
  private static func isDateTime(_ text: [UInt8]) -> Bool {
    guard let time = ISOTime(text[...]), time.isWhole, time.hasSeconds, time.hasZone, text[10] != 0x20 else {
      return false
    }
    return text[17] != UInt8(ascii: "6") || time.seconds % 86_400 == 0
  }

  private func matches(_ text: [UInt8]) -> Bool {
    var budget = MatchingBudget()
    return Self.patterns[self]?.matches(ConditionText(text), &budget) ?? true
  }

  private static let patterns: [SchemaFormat: TextPattern] = {
    let label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
    // RFC 3986, appendix A: the allowed characters of each component, without validation of their structure.
    let plain = "(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})"
    let authority =
      "(?:(?:[A-Za-z0-9._~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?"
      + "(?:\\[[0-9A-Fa-fv:.]+\\]|(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)(?::[0-9]*)?"
    let rest = "(?:\\?(?:\(plain)|[/?])*)?(?:#(?:\(plain)|[/?])*)?"
    let hierarchy = "(?://\(authority)(?:/\(plain)*)*|/(?:\(plain)+(?:/\(plain)*)*)?"
    let segment = "(?:[A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-Fa-f]{2})+"
    let pointer = "(?:/(?:[^~/]|~[01])*)*"
    let sources: [SchemaFormat: String] = [
      // RFC 3339, appendix A.
      .duration: "P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
        + "(?:T(?=[0-9])(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)",
      .email: "(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*|\"(?:[^\"\\\\]|\\\\.)+\")"
        + "@(?:\(label)(?:\\.\(label))*|\\[[0-9A-Fa-fIPv.:]+\\])",
      .hostname: "\(label)(?:\\.\(label))*",
      .uri: "[A-Za-z][A-Za-z0-9+.-]*:(?:\(hierarchy)|\(plain)+(?:/\(plain)*)*)?)\(rest)",
      .uriReference: "(?:[A-Za-z][A-Za-z0-9+.-]*:(?:\(hierarchy)|\(plain)+(?:/\(plain)*)*)?)"
        + "|\(hierarchy)|\(segment)(?:/\(plain)*)*)?)\(rest)",
      .uuid: "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
      .jsonPointer: "(?s)\(pointer)",
      .relativeJSONPointer: "(?s)(?:0|[1-9][0-9]*)(?:#|\(pointer))",
    ]
    return sources.compactMapValues { try? TextPattern($0) }
  }()
}

/// Escapes and splits JSON Pointers (RFC 6901).
package enum SchemaPointer {
  /// Returns a name as a reference token of a pointer.
  package static func escaped(_ name: String) -> String { name.replacing("~", with: "~0").replacing("/", with: "~1") }

  /// Returns the unescaped reference tokens of a pointer, or nil if its syntax is invalid.
  static func names(of pointer: String) -> [String]? {
    if pointer.isEmpty { return [] }
    guard pointer.hasPrefix("/") else { return nil }
    return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      String($0).replacing("~1", with: "/").replacing("~0", with: "~")
    }
  }
}
