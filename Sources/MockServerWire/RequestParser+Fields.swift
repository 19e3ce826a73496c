internal import CassetteHTTP

extension RequestParser {
  /// Parses `*( field-line CRLF ) CRLF` (RFC 9112 §5), where a field line is `name ":" OWS value OWS`.
  ///
  /// A complete line passes through the cases from top to bottom. Parsing of an incomplete line resumes in the case
  /// where its bytes ended.
  mutating func parseFields(_ bytes: Span<UInt8>) throws(ParseError) -> Bool {
    let line = bytes.extracting(0..<min(bytes.count, limits.head))
    // Local copies stay in registers. They are written back when the received bytes end.
    var (phase, at, mark, nameEnd, valueStart) = (phase, position, mark, nameEnd, valueStart)
    reading: while true {
      switch phase {
      case .fieldStart:
        guard line.holds(at) else { break reading }
        if line[at] == ASCII.carriageReturn {
          at &+= 1
          phase = .headLineFeed
          continue reading
        }
        mark = at
        phase = .fieldName
        fallthrough
      case .fieldName:
        at = ByteScan.endOfToken(line, from: at)
        guard line.holds(at) else { break reading }
        guard line[at] == UInt8(ascii: ":"), at > mark else { throw badName(line[at], at, isEmpty: at == mark) }
        nameEnd = at
        at &+= 1
        phase = .fieldSpace
        fallthrough
      case .fieldSpace:
        while line.holds(at), ASCII.isBlank(line[at]) { at &+= 1 }
        guard line.holds(at) else { break reading }
        valueStart = at
        phase = .fieldValue
        fallthrough
      case .fieldValue:
        at = ByteScan.endOfText(line, from: at)
        guard line.holds(at) else { break reading }
        let byte = line[at]
        guard byte == ASCII.carriageReturn else {
          guard byte == ASCII.tab else { throw Self.badValue(byte, at) }
          at &+= 1
          continue reading
        }
        at &+= 1
        phase = .fieldLineFeed
        fallthrough
      case .fieldLineFeed:
        guard line.holds(at) else { break reading }
        guard line[at] == ASCII.lineFeed else { throw .bareCarriageReturn(at) }
        var valueEnd = at &- 1
        while valueEnd > valueStart, ASCII.isBlank(line[valueEnd &- 1]) { valueEnd &-= 1 }
        try finishField(line, name: mark..<nameEnd, value: valueStart..<valueEnd)
        at &+= 1
        phase = .fieldStart
      case .headLineFeed:
        guard line.holds(at) else { break reading }
        guard line[at] == ASCII.lineFeed else { throw .bareCarriageReturn(at) }
        at &+= 1
        try finishHead(length: at)
        self.phase = .complete
        position = at
        return true
      default:
        return true
      }
    }
    (self.phase, position, self.mark, self.nameEnd, self.valueStart) = (phase, at, mark, nameEnd, valueStart)
    if bytes.count >= limits.head {
      throw headTooLong()
    }
    return false
  }

  @inline(__always)
  private mutating func finishField(
    _ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>
  ) throws(ParseError) {
    guard head.fields.count < limits.fields else { throw tooManyFields(name.lowerBound) }
    head.fields.append(
      RequestHead.FieldSlice(
        name: RequestHead.Slice(name.lowerBound, name.upperBound),
        value: RequestHead.Slice(value.lowerBound, value.upperBound)))
    if FieldFacts.mayMatter(first: bytes[name.lowerBound], length: name.count) {
      try fields.notice(bytes, name: name, value: value, in: &head, limits: limits)
    }
  }

  private mutating func finishHead(length: Int) throws(ParseError) {
    head.length = length
    guard fields.contains(.host) || head.version == .http10 else { throw Self.hostMissing(length - 2) }
    let isOld = head.version == .http10
    let closes = fields.contains(.close)
    head.saysKeepAlive = isOld && !closes && fields.contains(.keepAlive)
    head.persists = isOld ? head.saysKeepAlive : !closes
    // A request without a body has nothing to wait for, and an HTTP/1.0 client cannot use 100 (RFC 9110 §10.1.1).
    head.expectsContinue = fields.contains(.expectsContinue) && !isOld && head.framing != .none
  }

  @inline(never)
  private static func hostMissing(_ at: Int) -> ParseError {
    ParseError("an HTTP/1.1 request without Host", "RFC 9112 §3.2", at: at)
  }

  @inline(never)
  private func headTooLong() -> ParseError {
    ParseError("the head is longer than \(limits.head) bytes", "RFC 6585 §5", at: limits.head, status: 431)
  }

  @inline(never)
  private func tooManyFields(_ at: Int) -> ParseError {
    ParseError("more than \(limits.fields) header fields", "RFC 6585 §5", at: at, status: 431)
  }

  @inline(never)
  private func badName(_ byte: UInt8, _ at: Int, isEmpty: Bool) -> ParseError {
    let isFirst = head.fields.isEmpty
    return switch byte {
    case ASCII.space, ASCII.tab:
      if !isEmpty {
        ParseError("white space before the colon", "RFC 9112 §5.1", at: at)
      } else if isFirst {
        ParseError("white space before the first field", "RFC 9112 §2.2", at: at)
      } else {
        ParseError("a folded field line", "RFC 9112 §5.2", at: at)
      }
    case ASCII.lineFeed: .bareLineFeed(at)
    case ASCII.carriageReturn: ParseError("a field line without a colon", "RFC 9112 §5", at: at)
    default: ParseError("a field name must be a token", "RFC 9110 §5.1", at: at)
    }
  }

  @inline(never)
  private static func badValue(_ byte: UInt8, _ at: Int) -> ParseError {
    byte == ASCII.lineFeed
      ? .bareLineFeed(at)
      : ParseError("a control character in a field value", "RFC 9110 §5.5", at: at)
  }
}
