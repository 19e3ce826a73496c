internal import CassetteHTTP
internal import CassetteSystem

/// The facts about framing and persistence that the field lines parsed so far contain.
struct FieldFacts: OptionSet {
  let rawValue: UInt8

  static let host = FieldFacts(rawValue: 1 << 0)
  static let contentLength = FieldFacts(rawValue: 1 << 1)
  static let transferEncoding = FieldFacts(rawValue: 1 << 2)
  static let close = FieldFacts(rawValue: 1 << 3)
  static let keepAlive = FieldFacts(rawValue: 1 << 4)
  static let expectsContinue = FieldFacts(rawValue: 1 << 5)
  static let chunked = FieldFacts(rawValue: 1 << 6)

  /// Returns true if a field name with this first letter and length can be relevant, so that most names are not
  /// compared.
  @inline(__always)
  static func mayMatter(first: UInt8, length: Int) -> Bool {
    switch first | 0x20 {
    case UInt8(ascii: "a"): length > 22
    case UInt8(ascii: "c"): length == 10 || length == 14
    case UInt8(ascii: "e"), UInt8(ascii: "o"): length == 6
    case UInt8(ascii: "h"): length == 4
    case UInt8(ascii: "i"): length > 3
    case UInt8(ascii: "r"): length == 5
    case UInt8(ascii: "t"): length == 17
    case UInt8(ascii: "u"): length == 7
    case UInt8(ascii: "x"): length == 14
    default: false
    }
  }

  /// Records the facts in a field line.
  ///
  /// The first letter and the length are checked before any name is compared.
  mutating func notice(
    _ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>, in head: inout RequestHead, limits: ParserLimits
  ) throws(ParseError) {
    switch bytes[name.lowerBound] | 0x20 {
    case UInt8(ascii: "h"):
      if ASCII.isWord("host", bytes, name) { try noticeHost(bytes, name: name, value: value, in: &head) }
    case UInt8(ascii: "c"):
      if ASCII.isWord("connection", bytes, name) {
        noticeConnection(bytes, value)
      } else if ASCII.isWord("content-length", bytes, name) {
        try noticeContentLength(bytes, name: name, value: value, in: &head, limit: limits.body)
      }
    case UInt8(ascii: "t"):
      if ASCII.isWord("transfer-encoding", bytes, name) {
        try noticeTransferEncoding(bytes, name: name, value: value, in: &head)
      }
    case UInt8(ascii: "e"):
      if ASCII.isWord("expect", bytes, name), FieldList.contains("100-continue", bytes, value) {
        insert(.expectsContinue)
      }
    default:
      head.notable.formUnion(RequestHead.Notable.of(name, in: bytes))
    }
  }

  /// Checks that `Host` occurs once and is empty or a host and port (RFC 9112 §3.2).
  ///
  /// An absolute target takes precedence.
  private mutating func noticeHost(
    _ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>, in head: inout RequestHead
  ) throws(ParseError) {
    guard !contains(.host) else {
      throw ParseError("more than one Host", "RFC 9112 §3.2", at: name.lowerBound)
    }
    insert(.host)
    guard TargetGrammar.isAuthority(bytes, value) else {
      throw ParseError("Host is not a host and port", "RFC 9112 §3.2", at: value.lowerBound)
    }
    if head.host == nil { head.host = RequestHead.Slice(value.lowerBound, value.upperBound) }
  }

  /// Parses `Connection`: `close` closes the connection in any version, `keep-alive` keeps it open in HTTP/1.0 (RFC
  /// 9112 §9.3).
  private mutating func noticeConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
    // `keep-alive` is nearly always the only member.
    if ASCII.isWord("keep-alive", bytes, value) { return formUnion(.keepAlive) }
    var rest = value
    while let member = FieldList.next(bytes, &rest) {
      if ASCII.isWord("close", bytes, member) { insert(.close) }
      if ASCII.isWord("keep-alive", bytes, member) { insert(.keepAlive) }
    }
  }

  /// Parses `Content-Length`, which must be digits and occur once (RFC 9110 §8.6).
  ///
  /// Another recipient could read a list, a sign or a second field differently.
  private mutating func noticeContentLength(
    _ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>, in head: inout RequestHead, limit: Int
  ) throws(ParseError) {
    guard !contains(.contentLength) else {
      throw ParseError("more than one Content-Length", "RFC 9112 §6.3", at: name.lowerBound)
    }
    guard !contains(.transferEncoding) else { throw Self.bothLengths(name) }
    insert(.contentLength)
    guard !value.isEmpty, value.allSatisfy({ bytes[$0].isDigit }) else {
      throw ParseError("Content-Length is not a number", "RFC 9112 §6.3", at: value.lowerBound)
    }
    var length = 0
    for index in value {
      let (tens, overflows) = length.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = tens.addingReportingOverflow(Int(bytes[index] &- 0x30))
      guard !overflows, !overflowsToo, sum <= limit else {
        throw ParseError(
          "the body is longer than \(limit) bytes", "RFC 9110 §15.5.14", at: value.lowerBound, status: 413)
      }
      length = sum
    }
    head.framing = length == 0 ? .none : .length(length)
  }

  /// Parses `Transfer-Encoding`.
  ///
  /// Only `chunked` is supported (RFC 9112 §6.1), once, as the last coding and in HTTP/1.1.
  private mutating func noticeTransferEncoding(
    _ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>, in head: inout RequestHead
  ) throws(ParseError) {
    guard head.version != .http10 else {
      throw ParseError("Transfer-Encoding in HTTP/1.0", "RFC 9112 §6.1", at: name.lowerBound)
    }
    guard !contains(.contentLength) else { throw Self.bothLengths(name) }
    insert(.transferEncoding)
    var rest = value
    while let member = FieldList.next(bytes, &rest) {
      let coding = member.lowerBound..<(member.first { !ASCII.isToken(bytes[$0]) } ?? member.upperBound)
      let after = (coding.upperBound..<member.upperBound).first { !ASCII.isBlank(bytes[$0]) }
      guard !coding.isEmpty, after.map({ bytes[$0] == UInt8(ascii: ";") }) ?? true else {
        throw ParseError("a transfer coding must be a token", "RFC 9112 §7", at: member.lowerBound)
      }
      guard !contains(.chunked) else {
        throw ParseError("chunked is not the last transfer coding", "RFC 9112 §6.3", at: member.lowerBound)
      }
      guard ASCII.isWord("chunked", bytes, coding) else {
        throw ParseError("a transfer coding other than chunked", "RFC 9112 §6.1", at: member.lowerBound, status: 501)
      }
      guard after == nil else {
        throw ParseError("chunked must not have parameters", "RFC 9112 §7.1", at: coding.upperBound)
      }
      insert(.chunked)
    }
    guard contains(.chunked) else {
      throw ParseError("Transfer-Encoding is empty", "RFC 9112 §6.3", at: value.lowerBound)
    }
    head.framing = .chunked
  }

  /// Returns the error for two body lengths: a recipient that uses the other length finds a second request in the body
  /// (RFC 9112 §6.3).
  private static func bothLengths(_ name: Range<Int>) -> ParseError {
    ParseError("both Content-Length and Transfer-Encoding", "RFC 9112 §6.3", at: name.lowerBound)
  }
}

/// An iterator over the comma-separated members of a field value, without empty members (RFC 9110 §5.6.1).
enum FieldList {
  /// Removes the first member from the front of `rest` and returns its range.
  ///
  /// Nil if no member is left.
  static func next(_ bytes: Span<UInt8>, _ rest: inout Range<Int>) -> Range<Int>? {
    while !rest.isEmpty {
      let end = rest.first { bytes[$0] == UInt8(ascii: ",") } ?? rest.upperBound
      var member = rest.lowerBound..<end
      rest = min(end + 1, rest.upperBound)..<rest.upperBound
      while let first = member.first, ASCII.isBlank(bytes[first]) { member = (first + 1)..<member.upperBound }
      while let last = member.last, ASCII.isBlank(bytes[last]) { member = member.lowerBound..<last }
      if !member.isEmpty { return member }
    }
    return nil
  }

  static func contains(_ word: StaticString, _ bytes: Span<UInt8>, _ value: Range<Int>) -> Bool {
    var rest = value
    while let member = next(bytes, &rest) {
      if ASCII.isWord(word, bytes, member) { return true }
    }
    return false
  }
}

extension RequestHead.Notable {
  /// Returns the `Notable` flag that a field name sets, or an empty set.
  @inline(__always)
  fileprivate static func of(_ name: Range<Int>, in bytes: Span<UInt8>) -> Self {
    let (word, length, what): (StaticString, Int, Self)
    switch bytes[name.lowerBound] | 0x20 {
    case UInt8(ascii: "i"): (word, length, what) = ("if-", 3, .conditional)
    case UInt8(ascii: "r"): (word, length, what) = ("range", .max, .range)
    case UInt8(ascii: "o"): (word, length, what) = ("origin", .max, .origin)
    case UInt8(ascii: "u"): (word, length, what) = ("upgrade", .max, .upgrade)
    case UInt8(ascii: "x"): (word, length, what) = ("x-mock-session", .max, .session)
    case UInt8(ascii: "a"): (word, length, what) = ("access-control-request-", 23, .accessControl)
    default: return OperationField.named(bytes, name) == nil ? [] : .operation
    }
    if ASCII.isWord(word, bytes, name.prefix(length)) { return what }
    return OperationField.named(bytes, name) == nil ? [] : .operation
  }
}
