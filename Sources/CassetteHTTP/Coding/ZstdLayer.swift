internal import CassetteSystem

/// A zstd coder that uses the system's library, if it is installed (RFC 8878).
final class ZstdLayer: CodingLayer {
  /// The layout of `ZSTD_inBuffer` and `ZSTD_outBuffer`, which differ only in a `const`.
  private struct Buffer {
    var start: UnsafeRawPointer?
    var size: Int
    var position = 0
  }

  private struct Functions: Sendable {
    typealias Object = OpaquePointer

    let decoderNew: @convention(c) @Sendable () -> Object?
    let decoderFree: @convention(c) @Sendable (Object?) -> Int
    let decompress: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int
    let encoderNew: @convention(c) @Sendable () -> Object?
    let encoderFree: @convention(c) @Sendable (Object?) -> Int
    let compress: @convention(c) @Sendable (Object?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, Int32) -> Int
    let isError: @convention(c) @Sendable (Int) -> UInt32

    static let shared = SystemLibrary.load(LibraryNames.zstd) { library throws(SystemLibrary.Missing) in
      try Functions(library)
    }

    init(_ library: SystemLibrary) throws(SystemLibrary.Missing) {
      decoderNew = try library.find("ZSTD_createDStream")
      decoderFree = try library.find("ZSTD_freeDStream")
      decompress = try library.find("ZSTD_decompressStream")
      encoderNew = try library.find("ZSTD_createCStream")
      encoderFree = try library.find("ZSTD_freeCStream")
      compress = try library.find("ZSTD_compressStream2")
      isError = try library.find("ZSTD_isError")
    }
  }

  private let functions: Functions
  private let stream: OpaquePointer
  private let encodes: Bool

  private init?(encodes: Bool) {
    guard let functions = Functions.shared, let stream = encodes ? functions.encoderNew() : functions.decoderNew()
    else { return nil }
    self.functions = functions
    self.stream = stream
    self.encodes = encodes
  }

  /// Returns a decoder; nil if the library is not installed.
  static func decoder() -> ZstdLayer? { ZstdLayer(encodes: false) }

  /// Returns an encoder; nil if the library is not installed.
  static func encoder() -> ZstdLayer? { ZstdLayer(encodes: true) }

  deinit {
    _ = encodes ? functions.encoderFree(stream) : functions.decoderFree(stream)
  }

  /// The library continues with the next frame automatically.
  func restart() -> Bool { true }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutableBufferPointer<UInt8>, _ flush: CodingFlush
  ) -> CodingStep? {
    var source = Buffer(start: UnsafeRawPointer(input.baseAddress), size: input.count)
    var target = Buffer(start: UnsafeRawPointer(room.baseAddress), size: room.count)
    let left = withUnsafeMutablePointer(to: &source) { source in
      withUnsafeMutablePointer(to: &target) { target in
        encodes
          ? functions.compress(stream, target, source, flush.rawValue) : functions.decompress(stream, target, source)
      }
    }
    guard functions.isError(left) == 0 else { return nil }
    return CodingStep(read: source.position, written: target.position, isAtEnd: left == 0)
  }
}
