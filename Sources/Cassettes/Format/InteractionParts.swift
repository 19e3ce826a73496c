public import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// A recorded response.
public struct RecordedResponse: Sendable {
  /// The status code.
  public var status: HTTPStatus
  /// The reason phrase; nil for the standard one.
  public var reason: String?
  /// The header fields, without the fields for framing.
  public var headers: HTTPHeaders
  /// The content coding that was removed before storing, as named by `Content-Encoding`: `gzip`.
  ///
  /// A client that accepts the coding receives an encoded body. A coding that was not removed is part of ``headers``.
  public var coding: String?
  /// The body; nil if it is empty.
  public var body: Body?
  /// True if expressions between double braces in header fields and body are evaluated for each request.
  public var isTemplate = false
  /// The interim responses (1xx) before the response, in order.
  public var interim: [InterimResponse] = []
  /// The trailer fields after a chunked body.
  public var trailers: HTTPHeaders = []
  /// True if the file has an empty list of `headers`, which states that the response has no `Content-Type`.
  package var hasEmptyHeaders = false

  /// Creates a response.
  public init(status: HTTPStatus, reason: String? = nil, headers: HTTPHeaders = [], body: Body? = nil) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }
}

/// An interim response (1xx) before the final response.
public struct InterimResponse: Hashable, Sendable {
  /// The status code, 100 to 199.
  public var status: HTTPStatus
  /// The header fields.
  public var headers: HTTPHeaders

  /// Creates an interim response.
  public init(status: HTTPStatus, headers: HTTPHeaders = []) {
    self.status = status
    self.headers = headers
  }
}

/// The time at which an exchange was recorded, and its durations.
public struct RecordedFacts: Hashable, Sendable {
  /// The time in RFC 3339: `2026-11-21T01:00:00Z`.
  public var at: String?
  /// The number of seconds until the first byte of the response.
  public var firstByte: Double?
  /// The number of seconds until the last byte of the response.
  public var total: Double?
  /// The test that recorded the exchange, such as `ProfileTests/profile()`, in a file that several tests share.
  public var by: String?
  /// True if the client closed the connection before the end of the response, so that the recording may be incomplete.
  public var isCut = false

  /// Creates the time and durations of a recording.
  public init(
    at: String? = nil, firstByte: Double? = nil, total: Double? = nil, by: String? = nil, isCut: Bool = false
  ) {
    self.at = at
    self.firstByte = firstByte
    self.total = total
    self.by = by
    self.isCut = isCut
  }
}

/// The policy for requests that match after all matching recordings have played.
public enum RepeatPolicy: String, CaseIterable, Hashable, Sendable {
  /// The last recording is repeated.
  case last
  /// Each recording plays once; then there is no answer.
  case once
  /// The recordings start over with the first one.
  case loop
  /// The first recording is repeated, and the others never play.
  case first
}

/// Iterates over the members of an object, or the elements of an array, that the reader has checked.
package enum MemberWalk {
  /// Returns the first member with one of the names, and the offset of its value; later members are not read.
  static func first(in bytes: Span<UInt8>, at offset: Int, of names: Set<String>) -> (key: String, value: Int)? {
    var at = offset
    guard var items = JSONItems(in: bytes, at: &at), items.isObject else { return nil }
    while (try? items.next(in: bytes, at: &at)) == true {
      let key = CassetteFileSource.text(at: UInt32(items.name.lowerBound - 1), in: bytes)
      if names.contains(key) { return (key, at) }
      guard (try? JSONScanner.skipValue(in: bytes, at: &at)) != nil else { return nil }
    }
    return nil
  }

  /// Calls `use` with the offset of each element of an array.
  static func eachElement(in bytes: Span<UInt8>, at offset: Int, _ use: (_ value: Int) -> Void) {
    var at = offset
    guard var items = JSONItems(in: bytes, at: &at), !items.isObject else { return }
    do {
      while try items.next(in: bytes, at: &at) {
        use(at)
        try JSONScanner.skipValue(in: bytes, at: &at)
      }
    } catch {
      // Not reached: the reader has checked the object or array.
    }
  }

  /// Returns the range of the value at an offset.
  static func range(at offset: Int, in bytes: Span<UInt8>) -> Range<Int> {
    var end = offset
    do { try JSONScanner.skipValue(in: bytes, at: &end) } catch { return offset..<offset }
    return offset..<end
  }

  /// Returns the text of the number or word at an offset.
  static func token(at offset: Int, in bytes: Span<UInt8>) -> String {
    bytes.extracting(range(at: offset, in: bytes)).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
