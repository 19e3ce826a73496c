/// A streaming encoder or decoder of a single coding.
protocol CodingLayer: AnyObject {
  /// Processes a part of the input and produces a part of the output; nil if the input is invalid.
  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutableBufferPointer<UInt8>, _ flush: CodingFlush
  ) -> CodingStep?

  /// Prepares for another stream after the end of the current one; returns false if the coding does not allow that.
  func restart() -> Bool
}

/// The progress of one call of ``CodingLayer/step(_:_:_:)``.
struct CodingStep {
  /// The numbers of bytes read from the input and written to the output.
  var read: Int
  var written: Int
  /// True if the stream has reached its end, or all requested output has been produced.
  var isAtEnd: Bool
}

/// The amount of output that an encoder must produce, with the constants of Brotli and zstd.
///
/// Decoders ignore it.
enum CodingFlush: Int32 {
  case none = 0
  case all = 1
  case end = 2
}

/// A decoder of a single coding, with its progress.
final class DecodingLayer {
  private let coding: any CodingLayer
  private var hasBegun = false
  private var hasEnded = false

  init(_ coding: any CodingLayer) { self.coding = coding }

  /// True at the end of a stream, or before the first byte.
  var isComplete: Bool { hasEnded || !hasBegun }

  /// Decodes the next bytes, and passes the output to `use` in parts; false if the input is invalid or `use` returns
  /// false.
  func decode(_ bytes: [UInt8], _ use: ([UInt8]) -> Bool) -> Bool {
    if bytes.isEmpty { return true }
    hasBegun = true
    return bytes.withUnsafeBufferPointer { input in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 << 10) { room in
        var rest = input
        while true {
          // Several gzip members or zstd frames in a row form a single content (RFC 1952 §2.2, RFC 8878 §3).
          if hasEnded {
            guard coding.restart() else { return false }
            hasEnded = false
          }
          guard let step = coding.step(rest, room, .none) else { return false }
          rest = UnsafeBufferPointer(rebasing: rest[step.read...])
          guard step.written == 0 || use(Array(room[..<step.written])) else { return false }
          hasEnded = step.isAtEnd
          if rest.isEmpty, hasEnded || step.written < room.count { return true }
          if !hasEnded, step.read == 0, step.written == 0 { return false }
        }
      }
    }
  }
}

extension CodingLayer {
  /// Encodes the next bytes; nil if the library reports an error.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to encode.
  ///   - flush: The amount of output to produce; `.all` lets the receiver decode everything so far.
  /// - Returns: The encoded bytes.
  func encode(_ bytes: [UInt8], _ flush: CodingFlush) -> [UInt8]? {
    bytes.withUnsafeBufferPointer { input in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64 << 10) { room in
        var rest = input
        var coded: [UInt8] = []
        while true {
          guard let step = self.step(rest, room, flush) else { return nil }
          coded += room[..<step.written]
          rest = UnsafeBufferPointer(rebasing: rest[step.read...])
          if rest.isEmpty, step.isAtEnd { return coded }
          if step.read == 0, step.written == 0 { return nil }
        }
      }
    }
  }
}
