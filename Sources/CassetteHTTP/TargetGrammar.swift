internal import CassetteSystem

/// A parser of the four forms of request targets (RFC 9112 §3.2).
package enum TargetGrammar {
  /// The parts of a parsed target.
  package struct Reading {
    package var form: HTTPTarget.Form
    /// The host and port of the absolute and authority forms, without user information.
    package var host: Range<Int>?
    /// The authority of the absolute form, with user information.
    var authority: Range<Int>?
  }

  /// Parses a target that contains only allowed bytes; nil if it has none of the four forms.
  ///
  /// - `bytes`: The bytes of the request line.
  /// - `tunnel`: True for `CONNECT`, whose target is a host and a port; nil if the method is unknown.
  package static func read(_ bytes: Span<UInt8>, _ range: Range<Int>, tunnel: Bool?) -> Reading? {
    guard let first = range.first.map({ bytes[$0] }) else { return nil }
    if tunnel != true {
      if first == UInt8(ascii: "/") { return Reading(form: .origin) }
      if first == UInt8(ascii: "*"), range.count == 1 { return Reading(form: .asterisk) }
      if let absolute = absoluteForm(bytes, range) { return absolute }
    }
    if tunnel != false, isAuthority(bytes, range, needsPort: true) {
      return Reading(form: .authority, host: range, authority: range)
    }
    return nil
  }

  /// Parses the absolute form, which is limited to the schemes `http` and `https` (RFC 9110 §4.2).
  private static func absoluteForm(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Reading? {
    let scheme = range.lowerBound..<(range.firstIndex { bytes[$0] == UInt8(ascii: ":") } ?? range.lowerBound)
    guard ASCII.isWord("http", bytes, scheme) || ASCII.isWord("https", bytes, scheme) else { return nil }
    let start = scheme.upperBound + 3
    guard start < range.upperBound,
      bytes[start - 2] == UInt8(ascii: "/"), bytes[start - 1] == UInt8(ascii: "/")
    else { return nil }
    let end =
      (start..<range.upperBound).first { bytes[$0] == UInt8(ascii: "/") || bytes[$0] == UInt8(ascii: "?") }
      ?? range.upperBound
    var hostStart = start
    if let at = (start..<end).last(where: { bytes[$0] == UInt8(ascii: "@") }) {
      guard (start..<at).allSatisfy({ ASCII.isUserInformation(bytes[$0]) }) else { return nil }
      hostStart = at + 1
    }
    // Such a URI without a host must be rejected (RFC 9110 §4.2.1).
    guard hostStart < end, bytes[hostStart] != UInt8(ascii: ":"), isAuthority(bytes, hostStart..<end)
    else { return nil }
    return Reading(form: .absolute, host: hostStart..<end, authority: start..<end)
  }

  /// Returns true for `uri-host [ ":" port ]` (RFC 9110 §7.2).
  ///
  /// Both may be empty unless `needsPort` is true.
  package static func isAuthority(_ bytes: Span<UInt8>, _ range: Range<Int>, needsPort: Bool = false) -> Bool {
    var at = range.lowerBound
    let end = range.upperBound
    if at < end, bytes[at] == UInt8(ascii: "[") {
      guard let close = range.firstIndex(where: { bytes[$0] == UInt8(ascii: "]") }),
        isAddressLiteral(bytes, (at + 1)..<close)
      else { return false }
      at = close + 1
    } else {
      while at < end, ASCII.isRegisteredName(bytes[at]) { at &+= 1 }
    }
    if at == end { return !needsPort }
    guard bytes[at] == UInt8(ascii: ":") else { return false }
    if needsPort, at == range.lowerBound || at + 1 == end { return false }
    at += 1
    while at < end, bytes[at].isDigit { at &+= 1 }
    return at == end
  }

  /// Returns true if the bytes between brackets are an address of IPv6 or of a future version (RFC 3986 §3.2.2).
  private static func isAddressLiteral(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard let first = range.first else { return false }
    if bytes[first] | 0x20 == UInt8(ascii: "v") {
      guard let point = range.firstIndex(where: { bytes[$0] == UInt8(ascii: ".") }), point > first + 1,
        point + 1 < range.upperBound
      else { return false }
      return ((first + 1)..<point).allSatisfy { bytes[$0].hexadecimalValue != nil }
        && ((point + 1)..<range.upperBound).allSatisfy {
          ASCII.isUserInformation(bytes[$0]) && bytes[$0] != UInt8(ascii: "%")
        }
    }
    return IPAddress.isV6([UInt8](bytes.extracting(range)))
  }
}
