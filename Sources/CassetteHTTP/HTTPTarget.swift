internal import CassetteSystem

/// The target of a request, in one of the four forms of RFC 9112 §3.2.
///
/// Nothing is decoded or normalised: `path` and `query` are as they were sent.
public struct HTTPTarget: Hashable, Sendable {
  /// The four forms.
  public enum Form: Hashable, Sendable {
    /// `/path?query`: the form for a server.
    case origin
    /// `http://host/path?query`: the form for a proxy.
    case absolute
    /// `host:port`: the form of `CONNECT`.
    case authority
    /// `*`: the server itself, which only `OPTIONS` asks about.
    case asterisk
  }

  /// The target as it is in the request line.
  public let text: String
  /// The form that it has.
  public let form: Form

  /// Reads a target; nil when it has none of the four forms, or a byte that may not be in a request line.
  public init?(_ text: String) {
    let form = text.withUTF8Span { bytes in
      bytes.indices.allSatisfy { bytes[$0] > 0x20 && bytes[$0] != 0x7F && bytes[$0] != UInt8(ascii: "#") }
        ? TargetGrammar.read(bytes, 0..<bytes.count, tunnel: nil)?.form : nil
    }
    guard let form else { return nil }
    (self.text, self.form) = (text, form)
  }

  /// Takes a target the parser has accepted; bytes that are not UTF-8 become percent-encoded.
  package init(parsed bytes: Span<UInt8>, in range: Range<Int>) {
    text = bytes.extracting(range).withUnsafeBufferPointer { raw in
      String(validUTF8: raw) ?? String(decoding: PercentEncoding.encode(raw, keeping: ByteSet(0...0x7f)), as: UTF8.self)
    }
    form = TargetGrammar.read(bytes, range, tunnel: nil)?.form ?? .origin
  }

  /// The scheme of an absolute form, in the case it was sent.
  public var scheme: String? {
    guard form == .absolute else { return nil }
    return text.utf8.firstIndex(of: UInt8(ascii: ":")).map { String(text[..<$0]) }
  }

  /// User information, host and port of an absolute or authority form.
  public var authority: String? {
    switch form {
    case .absolute: String(text[authorityRange])
    case .authority: text
    case .origin, .asterisk: nil
    }
  }

  /// The path, percent-encoded: `/` for an absolute form without one, `*` or nothing for the forms that have none.
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

  /// The query: the text behind the first `?`, percent-encoded; nil when there is none.
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
  /// The target as it is in the request line.
  public var description: String { text }
}
