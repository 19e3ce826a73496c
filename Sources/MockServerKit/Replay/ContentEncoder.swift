internal import CZlib

/// Applies a content coding, piece by piece: gzip and deflate (RFC 9110 §8.4.1).
final class ContentEncoder {
  private let stream: UnsafeMutablePointer<z_stream>

  /// An encoder for a coding; nil for one that cannot be made here.
  init?(_ coding: String) {
    let windowBits: Int32
    switch coding.lowercased() {
    // 16 more make it gzip in place of zlib's own format, which is what `deflate` means.
    case "gzip", "x-gzip": windowBits = 15 + 16
    case "deflate": windowBits = 15
    default: return nil
    }
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard
      deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
  }

  deinit {
    deflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Codes what comes next, so that a client can decode all of it at once.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - isLast: Whether nothing follows.
  /// - Returns: The coded bytes.
  func encode(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    var coded: [UInt8] = []
    var input = bytes
    input.withUnsafeMutableBufferPointer { input in
      // zlib counts in 32 bits.
      var rest = input[...]
      repeat {
        let part = rest.prefix(Int(UInt32.max / 2))
        rest = rest.dropFirst(part.count)
        stream.pointee.next_in = UnsafeMutableBufferPointer(rebasing: part).baseAddress
        stream.pointee.avail_in = UInt32(part.count)
        let isEnd = rest.isEmpty
        deflateAll(isEnd ? (isLast ? Z_FINISH : Z_SYNC_FLUSH) : Z_NO_FLUSH, &coded)
      } while !rest.isEmpty
    }
    stream.pointee.next_in = nil
    return coded
  }

  private func deflateAll(_ flush: Int32, _ coded: inout [UInt8]) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64 << 10) { room in
      repeat {
        stream.pointee.next_out = room.baseAddress
        stream.pointee.avail_out = UInt32(room.count)
        guard deflate(stream, flush) != Z_STREAM_ERROR else { return }
        coded += room[..<(room.count - Int(stream.pointee.avail_out))]
      } while stream.pointee.avail_out == 0
    }
  }
}
