public import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// A response as it was recorded.
public struct RecordedResponse: Sendable {
  /// The status code.
  public var status: HTTPStatus
  /// The reason phrase, when it was not the standard one.
  public var reason: String?
  /// The header fields, without those that frame the body.
  public var headers: HTTPHeaders
  /// The content coding that was undone before storing, as `Content-Encoding` named it: `gzip`.
  ///
  /// A client that takes it gets the body coded again. A coding that was not undone is still in ``headers``.
  public var coding: String?
  /// The body; nil when it is empty.
  public var body: Body?
  /// True if expressions between double braces in fields and body are filled in for each request.
  public var isTemplate = false
  /// The interim responses (1xx) that came before it, in order.
  public var interim: [InterimResponse] = []
  /// The fields that came behind a chunked body.
  public var trailers: HTTPHeaders = []

  /// Creates a response.
  public init(status: HTTPStatus, reason: String? = nil, headers: HTTPHeaders = [], body: Body? = nil) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }
}

/// A response that came before the final one: 1xx.
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
  /// The test that recorded it, `ProfileTests/profile()`: its place in a file that several tests share.
  public var by: String?
  /// True if its client left before the end of the answer: more may have come.
  public var isCut = false

  /// Creates the facts of a recording's time.
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

/// The policy for requests that come once an interaction, and every other that answers them, has played.
public enum RepeatPolicy: String, CaseIterable, Hashable, Sendable {
  /// The last one plays again and again.
  case last
  /// Each plays once; then there is no answer.
  case once
  /// They begin again with the first.
  case loop
  /// The first plays again and again.
  case first
}

/// Walks over the members of an object, or the elements of an array, that has been checked before.
package enum MemberWalk {
  /// Returns the first member with one of some names and the offset of its value; the members after it are not read.
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

  /// Calls back with where each element of an array begins.
  static func eachElement(in bytes: Span<UInt8>, at offset: Int, _ use: (_ value: Int) -> Void) {
    eachItem(in: bytes, at: offset, ofObject: false) { _, value in use(value) }
  }

  private static func eachItem(
    in bytes: Span<UInt8>, at offset: Int, ofObject isObject: Bool, _ use: (_ name: Range<Int>, _ value: Int) -> Void
  ) {
    var at = offset
    guard var items = JSONItems(in: bytes, at: &at), items.isObject == isObject else { return }
    do {
      while try items.next(in: bytes, at: &at) {
        use(items.name, at)
        try JSONScanner.skipValue(in: bytes, at: &at)
      }
    } catch {
      // Reading has checked the object or array; nothing comes here.
    }
  }

  /// The range of the value that begins at an offset.
  static func range(at offset: Int, in bytes: Span<UInt8>) -> Range<Int> {
    var end = offset
    do { try JSONScanner.skipValue(in: bytes, at: &end) } catch { return offset..<offset }
    return offset..<end
  }

  /// Reads a number or word as it is written.
  package static func token(at offset: Int, in bytes: Span<UInt8>) -> String {
    bytes.extracting(range(at: offset, in: bytes)).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}
