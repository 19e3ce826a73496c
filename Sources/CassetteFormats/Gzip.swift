import CZlib
import Cassettes

/// Undoes the codings gzip and deflate (RFC 9110 §8.4.1) with the system's zlib.
enum Gzip {
  /// What a body may grow to: a few kilobytes can hold gigabytes of zeros.
  static let longest = Recording.longestDecoded

  enum Failure: Error {
    case broken
    case tooLong
  }

  /// Whether bytes begin as gzip does (RFC 1952 §2.3.1).
  static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.count > 2 && bytes[0] == 0x1f && bytes[1] == 0x8b }

  /// The bytes that were compressed.
  ///
  /// - Parameters:
  ///   - bytes: A gzip or zlib stream, or a raw deflate stream, which some servers send for `deflate`.
  ///   - limit: How many bytes may come out.
  /// - Returns: What was compressed.
  /// - Throws: ``Failure`` when the stream is broken, or stands for too much.
  static func decode(_ bytes: [UInt8], limit: Int = longest) throws(Failure) -> [UInt8] {
    do {
      // 32 tells gzip from zlib by its first bytes.
      return try inflate(bytes, windowBits: 15 + 32, limit: limit)
    } catch {
      if error == .tooLong || isGzip(bytes) { throw error }
      return try inflate(bytes, windowBits: -15, limit: limit)
    }
  }

  private static func inflate(_ bytes: [UInt8], windowBits: Int32, limit: Int) throws(Failure) -> [UInt8] {
    guard bytes.count < Int(UInt32.max) else { throw .tooLong }
    var stream = z_stream()
    guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      throw .broken
    }
    defer { inflateEnd(&stream) }
    var input = bytes
    var output: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    let failure: Failure? = input.withUnsafeMutableBufferPointer { source in
      stream.next_in = source.baseAddress
      stream.avail_in = uInt(source.count)
      while true {
        let (status, count) = part.withUnsafeMutableBufferPointer { target in
          stream.next_out = target.baseAddress
          stream.avail_out = uInt(target.count)
          let status = CZlib.inflate(&stream, Z_NO_FLUSH)
          return (status, target.count - Int(stream.avail_out))
        }
        guard output.count + count <= limit else { return .tooLong }
        output += part[..<count]
        if status == Z_STREAM_END {
          // Several members may follow one another (RFC 1952 §2.2).
          guard stream.avail_in > 0, windowBits > 0 else { return nil }
          guard inflateReset(&stream) == Z_OK else { return .broken }
        } else if status != Z_OK || count == 0 && stream.avail_in == 0 {
          return .broken
        }
      }
    }
    if let failure { throw failure }
    return output
  }
}
