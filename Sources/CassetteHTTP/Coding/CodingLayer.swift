/// Undoes or makes one layer of coding, a step at a time, as the libraries for it do.
protocol CodingLayer: AnyObject {
  /// Takes some of the input and gives some of the output; nil when the input is not of the coding.
  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ room: UnsafeMutableBufferPointer<UInt8>, _ flush: CodingFlush
  ) -> CodingStep?

  /// Begins anew behind the end of a content; false where nothing may follow it.
  func restart() -> Bool
}

/// The result of one step.
struct CodingStep {
  /// The numbers of bytes that were read and written.
  var read: Int
  var written: Int
  /// True if the content has come to the end that it marks itself, or all that was asked for is out.
  var isAtEnd: Bool
}

/// The output that a step must produce, in the numbers of Brotli and of zstd; decoders give what they can.
enum CodingFlush: Int32 {
  case none = 0
  case all = 1
  case end = 2
}

/// A layer of decoding, and how far its content has come.
final class DecodingLayer {
  private let coding: any CodingLayer
  private var hasBegun = false
  private var hasEnded = false

  init(_ coding: any CodingLayer) { self.coding = coding }

  /// True if the content has come to its end, or not begun.
  var isComplete: Bool { hasEnded || !hasBegun }

  /// Decodes what came next, in parts; false when it is not of the coding, or `use` wants no more.
  func decode(_ bytes: [UInt8], _ use: ([UInt8]) -> Bool) -> Bool {
    if bytes.isEmpty { return true }
    hasBegun = true
    return bytes.withUnsafeBufferPointer { input in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256 << 10) { room in
        var rest = input
        while true {
          // One gzip member or zstd frame after another is one content (RFC 1952 §2.2, RFC 8878 §3).
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
  /// Codes what comes next, so that all of it can be decoded at once; nil when the library will not.
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
