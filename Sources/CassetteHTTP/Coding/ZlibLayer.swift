internal import CCassetteZlib

/// A gzip and deflate coder that uses the system's zlib (RFC 9110 §8.4.1).
final class ZlibLayer: CodingLayer {
  /// The format of the deflate data.
  enum Format: Int32 {
    case gzip = 31
    case zlib = 15
    /// The gzip or zlib format, detected from the first bytes.
    case either = 47
    /// The `deflate` coding in zlib format or, as some servers send it, as raw deflate data.
    case eitherOrNone = 0
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let encodes: Bool
  private var mayBeRaw: Bool

  private init?(encodes: Bool, _ format: Format) {
    self.encodes = encodes
    mayBeRaw = format == .eitherOrNone
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    let windowBits = mayBeRaw ? Format.either.rawValue : format.rawValue
    let code =
      encodes
      ? deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
      : inflateInit2_(stream, windowBits, ZLIB_VERSION, size)
    guard code == Z_OK else { return nil }
  }

  /// Returns a decoder.
  static func decoder(_ format: Format) -> ZlibLayer? { ZlibLayer(encodes: false, format) }

  /// Returns an encoder.
  ///
  /// The gzip header contains no time or name, so equal content results in equal bytes.
  static func encoder(_ format: Format) -> ZlibLayer? { ZlibLayer(encodes: true, format) }

  deinit {
    _ = encodes ? deflateEnd(stream) : inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  func restart() -> Bool { inflateReset(stream) == Z_OK }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutableBufferPointer<UInt8>, _ flush: CodingFlush
  ) -> CodingStep? {
    if mayBeRaw, let first = input.first {
      mayBeRaw = false
      // The server sent raw deflate data instead of the zlib format (RFC 9110 §8.4.1.2).
      guard first & 0x0F == 8 || first == 0x1F || inflateReset2(stream, -15) == Z_OK else { return nil }
    }
    // The counters of zlib have 32 bits.
    let count = min(input.count, 1 << 30)
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(count)
    stream.pointee.next_out = room.baseAddress
    stream.pointee.avail_out = UInt32(room.count)
    let isLast = count == input.count
    let code: Int32
    if encodes {
      code = deflate(stream, isLast ? flush.zlib : Z_NO_FLUSH)
    } else {
      code = inflate(stream, Z_NO_FLUSH)
    }
    guard code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR else { return nil }
    let (read, written) = (count - Int(stream.pointee.avail_in), room.count - Int(stream.pointee.avail_out))
    let isFlushed = encodes && flush != .end && written < room.count
    return CodingStep(read: read, written: written, isAtEnd: code == Z_STREAM_END || isFlushed)
  }
}

extension CodingFlush {
  fileprivate var zlib: Int32 {
    switch self {
    case .none: Z_NO_FLUSH
    case .all: Z_SYNC_FLUSH
    case .end: Z_FINISH
    }
  }
}
