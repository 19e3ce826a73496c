public import CassetteHTTP

/// The head of a request, as offsets into its bytes: nothing copied, nothing decoded.
public struct RequestHead: Sendable {
  /// A range of bytes, counted from the first byte of the head.
  public struct Slice: Hashable, Sendable {
    /// The offset of the first byte.
    public let start: UInt32
    /// The offset after the last byte.
    public let end: UInt32

    /// Makes a slice of two offsets within a head.
    @inline(__always)
    package init(_ start: Int, _ end: Int) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.end = UInt32(truncatingIfNeeded: end)
    }

    /// The offsets as a range.
    @inline(__always)
    public var range: Range<Int> { Int(start)..<Int(end) }
    /// The number of bytes.
    @inline(__always)
    public var count: Int { Int(end) - Int(start) }
  }

  /// A field line.
  public struct FieldSlice: Hashable, Sendable {
    /// The name, without the colon.
    public let name: Slice
    /// The value, without the white space around it.
    public let value: Slice
  }

  /// The way to find the end of the body (RFC 9112 §6.3).
  public enum BodyFraming: Hashable, Sendable {
    /// There is no body, or its length is zero.
    case none
    /// As many bytes as `Content-Length` says; never zero.
    case length(Int)
    /// Chunks, up to the one of size zero and the trailer section.
    case chunked
  }

  /// Fields whose presence changes how a request is answered, noticed while scanning.
  public struct Notable: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    /// Makes a set of its bits.
    public init(rawValue: UInt16) {
      self.rawValue = rawValue
    }

    /// A field whose name begins with `If-`.
    public static let conditional = Notable(rawValue: 1 << 0)
    /// `Range`.
    public static let range = Notable(rawValue: 1 << 1)
    /// `Origin`.
    public static let origin = Notable(rawValue: 1 << 2)
    /// `X-Mock-Session`.
    public static let session = Notable(rawValue: 1 << 3)
    /// A field whose name begins with `Access-Control-Request-`.
    public static let accessControl = Notable(rawValue: 1 << 4)
    /// `Upgrade`.
    public static let upgrade = Notable(rawValue: 1 << 5)
  }

  /// The method.
  public internal(set) var method = Slice(0, 0)
  /// The target in the form it was sent.
  public internal(set) var target = Slice(0, 0)
  /// The form that the target has.
  public internal(set) var targetForm = HTTPTarget.Form.origin
  /// The version to answer in: 1.0, or 1.1 for that and any later minor version (RFC 9110 §2.5).
  public internal(set) var version = HTTPVersion.http11
  /// Every field line, in order.
  public internal(set) var fields: [FieldSlice] = []
  /// The host and port asked for: those of an absolute or authority form, otherwise the `Host` field's (RFC 9112 §3.3).
  public internal(set) var host: Slice?
  /// The number of bytes of the whole head, with the empty lines before it and the CRLF that ends it.
  public internal(set) var length = 0
  /// The way to find the end of the body.
  public internal(set) var framing = BodyFraming.none
  /// True if the connection stays open after the response (RFC 9112 §9.3).
  public internal(set) var persists = true
  /// True if the response must say `Connection: keep-alive`: the client speaks HTTP/1.0 and asked for it.
  public internal(set) var saysKeepAlive = false
  /// True if the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  public internal(set) var expectsContinue = false
  /// Fields that change how the request is answered.
  public internal(set) var notable: Notable = []

  /// Finds the value of the first field of that name, whatever its case, in the bytes of the head; nil without one.
  public func value(of name: String, in bytes: Span<UInt8>) -> Slice? { values(of: name, in: bytes).first }

  /// Returns the values of the fields of that name, whatever its case, in order.
  package func values(of name: String, in bytes: Span<UInt8>) -> [Slice] {
    var name = name
    return name.withUTF8 { wanted in
      var found: [Slice] = []
      for field in fields where field.name.count == wanted.count {
        if ASCII.equalIgnoringCase(bytes, at: Int(field.name.start), wanted) { found.append(field.value) }
      }
      return found
    }
  }

  /// Forgets everything but the room the field table takes.
  mutating func reset() {
    fields.removeAll(keepingCapacity: true)
    targetForm = .origin
    version = .http11
    host = nil
    length = 0
    framing = .none
    persists = true
    saysKeepAlive = false
    expectsContinue = false
    notable = []
  }
}
