internal import CZlib

/// Undoes a content coding as the bytes arrive: gzip and deflate (RFC 9110 §8.4.1).
package final class ContentDecoder {
  /// The content is not what its coding says.
  package struct Failure: Error {
    package init() {}
  }

  /// What coded content may stand for, in bytes, where it is kept or compared decoded: 64 MB.
  package static let longest = 64 << 20

  private let stream: UnsafeMutablePointer<z_stream>
  private let isDeflate: Bool
  private var hasBegun = false
  private var hasEnded = false

  /// A decoder for what a response's `Content-Encoding` says; nil where there is nothing to undo, or no means to.
  package init?(_ headers: HTTPHeaders) {
    guard let coding = Self.coding(of: headers) else { return nil }
    isDeflate = coding == "deflate"
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 15 bits of window, and 32 more: gzip and zlib are told apart by their first bytes.
    guard Self.begin(stream, windowBits: 15 + 32) else { return nil }
  }

  /// Whether bytes begin as gzip (RFC 1952 §2.3.1) or zlib (RFC 1950 §2.2) does.
  package static func looksCoded(_ start: [UInt8]) -> Bool {
    guard start.count > 1 else { return false }
    if start[0] == 0x1F, start[1] == 0x8B { return true }
    return start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
  }

  /// The coding that can be undone; nil where there is none, or there are several.
  package static func coding(of headers: HTTPHeaders) -> String? {
    let codings = headers.members(of: "Content-Encoding").map { $0.lowercased() }.filter { $0 != "identity" }
    guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(codings[0]) else { return nil }
    return codings[0]
  }

  deinit {
    inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  private static func begin(_ stream: UnsafeMutablePointer<z_stream>, windowBits: Int32) -> Bool {
    inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
  }

  /// Whether the coded content has come to the end that it marks itself.
  package var isComplete: Bool { hasEnded || !hasBegun }

  /// Decodes what came next.
  ///
  /// - Parameters:
  ///   - bytes: Coded bytes.
  ///   - use: Takes the content in parts: a few bytes can stand for many.
  /// - Throws: ``Failure`` when they are not of the coding.
  package func decode(_ bytes: [UInt8], _ use: ([UInt8]) -> Void) throws(Failure) {
    try decodeParts(of: bytes) { part in
      use(part)
      return true
    }
  }

  /// Decodes what came next, as a whole.
  ///
  /// - Parameters:
  ///   - bytes: Coded bytes.
  ///   - limit: How many bytes may come of them.
  /// - Returns: The content.
  /// - Throws: ``Failure`` when they are not of the coding, or are too many.
  package func decode(_ bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var content: [UInt8] = []
    try decodeParts(of: bytes) { part in
      content += part
      return content.count <= limit
    }
    return content
  }

  private func decodeParts(of bytes: [UInt8], _ use: ([UInt8]) -> Bool) throws(Failure) {
    guard let first = bytes.first else { return }
    if !hasBegun, isDeflate, first & 0x0F != 8 {
      // Some servers send deflate without the zlib format around it (RFC 9110 §8.4.1.2).
      guard inflateReset2(stream, -15) == Z_OK else { throw Failure() }
    }
    hasBegun = true
    var input = bytes
    let isDone = input.withUnsafeMutableBufferPointer { input in
      stream.pointee.next_in = input.baseAddress
      stream.pointee.avail_in = UInt32(clamping: input.count)
      return inflateAll(use)
    }
    stream.pointee.next_in = nil
    guard isDone else { throw Failure() }
  }

  private func inflateAll(_ use: ([UInt8]) -> Bool) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 << 10) { room in
      while true {
        if hasEnded {
          guard stream.pointee.avail_in > 0 else { return true }
          // One gzip member after another is one content (RFC 1952 §2.2).
          guard inflateReset(stream) == Z_OK else { return false }
          hasEnded = false
        }
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(room.count)
        let code = inflate(stream, Z_NO_FLUSH)
        guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return false }
        let count = room.count - Int(stream.pointee.avail_out)
        guard count == 0 || use(Array(room[..<count])) else { return false }
        hasEnded = code == Z_STREAM_END
        if !hasEnded, stream.pointee.avail_in == 0, stream.pointee.avail_out > 0 { return true }
        if code == Z_BUF_ERROR { return stream.pointee.avail_in == 0 }
      }
    }
  }
}
