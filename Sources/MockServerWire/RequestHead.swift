public import CassetteHTTP

/// The head of a request as offsets into the received bytes, without copying or decoding.
public struct RequestHead: Sendable {
  /// A range of bytes, counted from the first byte of the head.
  public struct Slice: Hashable, Sendable {
    /// The offset of the first byte.
    public let start: UInt32
    /// The offset after the last byte.
    public let end: UInt32

    /// Creates a slice from two offsets within a head.
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

  /// The offsets of a field line.
  public struct FieldSlice: Hashable, Sendable {
    /// The field name, without the colon.
    public let name: Slice
    /// The field value, without surrounding white space.
    public let value: Slice
  }

  /// The method for finding the end of the body (RFC 9112 §6.3).
  public enum BodyFraming: Hashable, Sendable {
    /// The request has no body, or the length of its body is zero.
    case none
    /// The body has the length given in `Content-Length`, which is not zero.
    case length(Int)
    /// The body is chunked, and ends after the last chunk and the trailer section.
    case chunked
  }

  /// The fields whose presence changes how a request is processed.
  ///
  /// The parser detects them while scanning.
  public struct Notable: OptionSet, Hashable, Sendable {
    /// The bits of the set.
    public let rawValue: UInt16

    /// Creates a set from its bits.
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
    /// A field that selects an operation, such as `SOAPAction`.
    public static let operation = Notable(rawValue: 1 << 6)
  }

  /// The request method.
  public internal(set) var method = Slice(0, 0)
  /// The request target as received.
  public internal(set) var target = Slice(0, 0)
  /// The form of the request target (RFC 9112 §3.2).
  public internal(set) var targetForm = HTTPTarget.Form.origin
  /// The version of the response: 1.0, or 1.1 for requests of HTTP/1.1 and any later minor version (RFC 9110 §2.5).
  public internal(set) var version = HTTPVersion.http11
  /// All field lines in the order received.
  public internal(set) var fields: [FieldSlice] = []
  /// The requested host and port: from the target in absolute or authority form, otherwise from `Host` (RFC 9112 §3.3).
  public internal(set) var host: Slice?
  /// The length of the head in bytes, including empty lines before it and the CRLF that ends it.
  public internal(set) var length = 0
  /// The method for finding the end of the body.
  public internal(set) var framing = BodyFraming.none
  /// True if the connection stays open after the response (RFC 9112 §9.3).
  public internal(set) var persists = true
  /// True if the response must contain `Connection: keep-alive`, because an HTTP/1.0 client asked for persistence.
  public internal(set) var saysKeepAlive = false
  /// True if the client waits for `100 Continue` before sending the body (RFC 9110 §10.1.1).
  public internal(set) var expectsContinue = false
  /// The fields that change how the request is processed.
  public internal(set) var notable: Notable = []

  /// Returns the value of the first field with a name, compared case-insensitively.
  ///
  /// Nil if there is no such field.
  ///
  /// - Parameters:
  ///   - name: The field name.
  ///   - bytes: The bytes of the head.
  /// - Returns: The range of the value in the head.
  public func value(of name: String, in bytes: Span<UInt8>) -> Slice? { values(of: name, in: bytes).first }

  /// Returns the values of all fields with a name, compared case-insensitively, in the order received.
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

  /// Resets the head for the next request, keeping the capacity of the field table.
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
