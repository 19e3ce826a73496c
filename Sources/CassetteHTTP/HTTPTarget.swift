internal import CassetteSystem

/// The target of a request in one of the four forms of RFC 9112 §3.2.
///
/// Nothing is decoded or normalized: `path` and `query` are the parts of the target as received.
public struct HTTPTarget: Hashable, Sendable {
  /// The form of a target.
  public enum Form: Hashable, Sendable {
    /// A path with an optional query, such as `/path?query`, for requests to a server.
    case origin
    /// A URL such as `http://host/path?query`, for requests to a proxy.
    case absolute
    /// A host and port, such as `host:port`, for `CONNECT`.
    case authority
    /// An asterisk, for `OPTIONS` requests about the server itself.
    case asterisk
  }

  /// The target as written in the request line.
  public let text: String
  /// The form of the target.
  public let form: Form

  /// Parses a target; nil if it has none of the four forms, or contains a byte that is not allowed in a request line.
  public init?(_ text: String) {
    let form = text.withUTF8Span { bytes in
      bytes.indices.allSatisfy { bytes[$0] > 0x20 && bytes[$0] != 0x7F && bytes[$0] != UInt8(ascii: "#") }
        ? TargetGrammar.read(bytes, 0..<bytes.count, tunnel: nil)?.form : nil
    }
    guard let form else { return nil }
    (self.text, self.form) = (text, form)
  }

  /// Creates a target from bytes that the parser has accepted.
  ///
  /// Bytes that are not UTF-8 are percent-encoded.
  package init(parsed bytes: Span<UInt8>, in range: Range<Int>) {
    text = bytes.extracting(range).withUnsafeBufferPointer { raw in
      String(validUTF8: raw) ?? String(decoding: PercentEncoding.encode(raw, keeping: ByteSet(0...0x7f)), as: UTF8.self)
    }
    form = TargetGrammar.read(bytes, range, tunnel: nil)?.form ?? .origin
  }

  /// The scheme of a target in absolute form, in its original case; nil for other forms.
  public var scheme: String? {
    guard form == .absolute else { return nil }
    return text.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(text[..<$0]) }
  }

  /// The authority of a target in absolute or authority form, with user information if present; nil for other forms.
  public var authority: String? {
    switch form {
    case .absolute: String(text[authorityRange])
    case .authority: text
    case .origin, .asterisk: nil
    }
  }

  /// The percent-encoded path.
  ///
  /// It is `/` for an absolute form without a path, `*` for the asterisk form, and otherwise empty.
  public var path: String {
    switch form {
    case .origin: return String(text[..<queryMark])
    case .absolute:
      let path = text[authorityRange.upperBound..<queryMark]
      return path.isEmpty ? "/" : String(path)
    case .authority: return ""
    case .asterisk: return "*"
    }
  }

  /// The percent-encoded query after the first `?`; nil if the target has no query.
  public var query: String? {
    guard form == .origin || form == .absolute, queryMark < text.endIndex else { return nil }
    return String(text[text.utf8.index(after: queryMark)...])
  }

  private var queryMark: String.Index { text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex }

  private var authorityRange: Range<String.Index> {
    let utf8 = text.utf8
    guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")),
      let start = utf8.index(colon, offsetBy: 3, limitedBy: utf8.endIndex)
    else { return utf8.startIndex..<utf8.startIndex }
    let end = utf8[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? utf8.endIndex
    return start..<end
  }
}

extension HTTPTarget: CustomStringConvertible {
  /// The target as written in the request line.
  public var description: String { text }
}
