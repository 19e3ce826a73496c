internal import CassetteSystem

/// The four forms of a request target (RFC 9112 §3.2) and the parts of a URI they are made of.
enum TargetGrammar {
  /// The parts of a target.
  struct Reading {
    var form: HTTPTarget.Form
    /// Host and port, without user information, of the absolute and authority forms.
    var host: Range<Int>?
    /// The whole authority of an absolute form, its user information included.
    var authority: Range<Int>?
  }

  /// Reads a target whose bytes are all allowed; nil when it is none of the four forms.
  ///
  /// - Parameters:
  ///   - bytes: The bytes it stands in.
  ///   - range: Where.
  ///   - tunnel: Whether the method is `CONNECT`, whose targets are a host and a port; nil when it is not known.
  /// - Returns: The form, and where the host stands.
  static func read(_ bytes: Span<UInt8>, _ range: Range<Int>, tunnel: Bool?) -> Reading? {
    guard let first = range.first.map({ bytes[$0] }) else { return nil }
    if tunnel != true {
      if first == UInt8(ascii: "/") { return Reading(form: .origin) }
      if first == UInt8(ascii: "*"), range.count == 1 { return Reading(form: .asterisk) }
      if let absolute = absoluteForm(bytes, range) { return absolute }
    }
    if tunnel != false, isAuthority(bytes, range, port: .needed) {
      return Reading(form: .authority, host: range, authority: range)
    }
    return nil
  }

  /// `http://host…`: only the two schemes that have an authority to ask (RFC 9110 §4.2).
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
    // A URI of these schemes without a host must be refused (RFC 9110 §4.2.1).
    guard hostStart < end, bytes[hostStart] != UInt8(ascii: ":"), isAuthority(bytes, hostStart..<end, port: .allowed)
    else { return nil }
    return Reading(form: .absolute, host: hostStart..<end, authority: start..<end)
  }

  enum Port {
    case allowed
    case needed
  }

  /// Tells if the bytes are `uri-host [ ":" port ]` (RFC 9110 §7.2); both may be empty unless a port is needed.
  static func isAuthority(_ bytes: Span<UInt8>, _ range: Range<Int>, port: Port = .allowed) -> Bool {
    var at = range.lowerBound
    let end = range.upperBound
    if at < end, bytes[at] == UInt8(ascii: "[") {
      guard let close = range.firstIndex(where: { bytes[$0] == UInt8(ascii: "]") }),
        isAddressLiteral(bytes, (at + 1)..<close)
      else { return false }
      at = close + 1
    } else {
      at = ByteScan.endOfRegisteredName(bytes.extracting(0..<end), from: at)
    }
    if at == end { return port == .allowed }
    guard bytes[at] == UInt8(ascii: ":") else { return false }
    if port == .needed, at == range.lowerBound || at + 1 == end { return false }
    at += 1
    while at < end, bytes[at].isDigit { at &+= 1 }
    return at == end
  }

  /// Tells whether the bytes between brackets are an IPv6 address, or one of a version to come (RFC 3986 §3.2.2).
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
    return isIPv6(bytes, range)
  }

  /// Groups of four hexadecimal digits: eight of them, or fewer around one `::`; an IPv4 address may stand for the last two.
  private static func isIPv6(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let colon = UInt8(ascii: ":")
    let end = range.upperBound
    var at = range.lowerBound
    var groups = 0
    var isShortened = false
    func isColon(_ index: Int) -> Bool { index < end && bytes[index] == colon }

    if isColon(at), !isColon(at + 1) { return false }
    while at < end {
      if isColon(at), isColon(at + 1) {
        guard !isShortened else { return false }
        isShortened = true
        at += 2
        continue
      }
      var next = at
      while next < end, next - at < 5, bytes[next].hexadecimalValue != nil { next += 1 }
      if next < end, bytes[next] == UInt8(ascii: ".") {
        groups += 2
        guard isIPv4(bytes, at..<end) else { return false }
        at = end
        break
      }
      guard (1...4).contains(next - at) else { return false }
      groups += 1
      at = next
      if at == end { break }
      guard isColon(at) else { return false }
      if !isColon(at + 1) {
        at += 1
        guard at < end else { return false }
      }
    }
    return isShortened ? groups < 8 : groups == 8
  }

  /// Four decimal numbers up to 255, without leading zeros (RFC 3986 §3.2.2).
  private static func isIPv4(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var numbers = 0
    var digits = 0
    var number = 0
    for index in range {
      if bytes[index] == UInt8(ascii: ".") {
        guard digits > 0 else { return false }
        numbers += 1
        (digits, number) = (0, 0)
        continue
      }
      guard bytes[index].isDigit, digits == 0 || number > 0 else { return false }
      digits += 1
      number = number * 10 + Int(bytes[index] &- 0x30)
      guard number <= 255 else { return false }
    }
    return numbers == 3 && digits > 0
  }
}
