#if canImport(Compression)
  internal import Compression

  /// A Brotli decoder that uses Apple's Compression framework, which has no streaming encoder for Brotli.
  final class AppleBrotliLayer: CodingLayer {
    private let stream: UnsafeMutablePointer<compression_stream>
    private var isMade = false

    init?() {
      stream = .allocate(capacity: 1)
      guard compression_stream_init(stream, COMPRESSION_STREAM_DECODE, COMPRESSION_BROTLI) == COMPRESSION_STATUS_OK
      else { return nil }
      isMade = true
    }

    deinit {
      if isMade { compression_stream_destroy(stream) }
      stream.deallocate()
    }

    func restart() -> Bool { false }

    func step(
      _ input: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutableBufferPointer<UInt8>, _ flush: CodingFlush
    ) -> CodingStep? {
      guard let source = input.baseAddress, let target = room.baseAddress else { return nil }
      (stream.pointee.src_ptr, stream.pointee.src_size) = (source, input.count)
      (stream.pointee.dst_ptr, stream.pointee.dst_size) = (target, room.count)
      let status = compression_stream_process(stream, 0)
      guard status != COMPRESSION_STATUS_ERROR else { return nil }
      return CodingStep(
        read: input.count - stream.pointee.src_size, written: room.count - stream.pointee.dst_size,
        isAtEnd: status == COMPRESSION_STATUS_END)
    }
  }
#endif
