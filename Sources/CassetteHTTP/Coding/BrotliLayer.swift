internal import CassetteSystem

/// A Brotli coder that uses the system's libraries for encoding and decoding, if they are installed (RFC 7932).
final class BrotliLayer: CodingLayer {
  private typealias Object = OpaquePointer
  private typealias Input = UnsafeMutablePointer<UnsafePointer<UInt8>?>
  private typealias Output = UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  private typealias Count = UnsafeMutablePointer<Int>

  /// The functions of a library.
  ///
  /// The encoder and the decoder have equivalent functions, except for the step.
  private struct Functions: Sendable {
    let new: @convention(c) @Sendable (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Object?
    let free: @convention(c) @Sendable (Object?) -> Void
    let step: Step
    let hasMore: @convention(c) @Sendable (Object?) -> Int32
    var set: (@convention(c) @Sendable (Object?, UInt32, UInt32) -> Int32)?

    enum Step: Sendable {
      case decode(@convention(c) @Sendable (Object?, Count?, Input?, Count?, Output?, Count?) -> Int32)
      case encode(@convention(c) @Sendable (Object?, Int32, Count?, Input?, Count?, Output?, Count?) -> Int32)
    }

    static let decoding = SystemLibrary.load(LibraryNames.brotliDecoder) { library throws(SystemLibrary.Missing) in
      Functions(
        new: try library.find("BrotliDecoderCreateInstance"), free: try library.find("BrotliDecoderDestroyInstance"),
        step: .decode(try library.find("BrotliDecoderDecompressStream")),
        hasMore: try library.find("BrotliDecoderHasMoreOutput"))
    }

    static let encoding = SystemLibrary.load(LibraryNames.brotliEncoder) { library throws(SystemLibrary.Missing) in
      Functions(
        new: try library.find("BrotliEncoderCreateInstance"), free: try library.find("BrotliEncoderDestroyInstance"),
        step: .encode(try library.find("BrotliEncoderCompressStream")),
        hasMore: try library.find("BrotliEncoderHasMoreOutput"), set: try library.find("BrotliEncoderSetParameter"))
    }
  }

  private enum Code {
    static let error: Int32 = 0
    static let success: Int32 = 1
    static let quality: UInt32 = 1
  }

  private let functions: Functions
  private let state: OpaquePointer

  private init?(_ functions: Functions?) {
    guard let functions, let state = functions.new(nil, nil, nil) else { return nil }
    self.functions = functions
    self.state = state
    // The library's default quality takes a hundred times as long.
    _ = functions.set?(state, Code.quality, 5)
  }

  /// Returns a decoder; nil if the library is not installed.
  static func decoder() -> BrotliLayer? { BrotliLayer(Functions.decoding) }

  /// Returns an encoder with a quality that is usual for servers; nil if the library is not installed.
  static func encoder() -> BrotliLayer? { BrotliLayer(Functions.encoding) }

  deinit { functions.free(state) }

  /// A Brotli stream cannot be followed by another.
  func restart() -> Bool { false }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutableBufferPointer<UInt8>, _ flush: CodingFlush
  ) -> CodingStep? {
    var (next, left) = (input.baseAddress, input.count)
    var (target, free) = (room.baseAddress, room.count)
    let isAtEnd: Bool
    switch functions.step {
    case .decode(let decode):
      let code = decode(state, &left, &next, &free, &target, nil)
      if code == Code.error { return nil }
      isAtEnd = code == Code.success
    case .encode(let encode):
      guard encode(state, flush.rawValue, &left, &next, &free, &target, nil) != 0 else { return nil }
      isAtEnd = left == 0 && functions.hasMore(state) == 0
    }
    return CodingStep(read: input.count - left, written: room.count - free, isAtEnd: isAtEnd)
  }
}
