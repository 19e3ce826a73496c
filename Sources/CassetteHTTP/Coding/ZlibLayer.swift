internal import CCassetteZlib

/// gzip and deflate by the system's zlib (RFC 9110 §8.4.1).
final class ZlibLayer: CodingLayer {
  /// The format around deflate's bytes.
  enum Format: Int32 {
    case gzip = 31
    case zlib = 15
    /// gzip or zlib, told apart by their first bytes.
    case either = 47
    /// `deflate`, in zlib's format or, as some servers send it, with nothing around the bytes.
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

  /// Undoes a format.
  static func decoder(_ format: Format) -> ZlibLayer? { ZlibLayer(encodes: false, format) }

  /// Makes a format: gzip without a time or a name, so that the same content is the same bytes.
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
      // deflate without the zlib format around it (RFC 9110 §8.4.1.2).
      guard first & 0x0F == 8 || first == 0x1F || inflateReset2(stream, -15) == Z_OK else { return nil }
    }
    // zlib counts in 32 bits.
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
