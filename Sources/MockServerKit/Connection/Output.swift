internal import CassettePlayback
internal import Cassettes
internal import MockServerSockets

/// Bytes to send: responses in order, with large bodies referenced instead of copied.
struct Output {
  /// The minimum size of a body that is sent from its own memory, in the same system call as its head, instead of being
  /// copied.
  static let largeBody = 32 << 10
  /// The maximum number of bytes sent to one client in a row, and the number of unsent bytes at which no further pieces
  /// of a stream are appended.
  static let mostInARow = 64 << 10

  private struct Piece {
    var bytes: [UInt8]
    var sent = 0
    /// The range of a file that follows the bytes, read when they have been sent.
    var rest: (file: BodyFile, range: Range<Int>)?

    /// The number of unsent bytes.
    var count: Int { bytes.count - sent + (rest?.range.count ?? 0) }

    /// Reads the next bytes of the file when the previous ones have been sent; returns false if they cannot be read.
    mutating func refill() -> Bool {
      guard sent == bytes.count, let (file, range) = rest else { return true }
      let next = (try? file.read(at: range.lowerBound, count: min(range.count, Output.mostInARow))) ?? []
      guard !next.isEmpty else { return range.isEmpty }
      bytes = next
      sent = 0
      let left = range.dropFirst(next.count)
      rest = left.isEmpty ? nil : (file, left)
      return true
    }
  }

  /// The bytes appended since the last large piece.
  private(set) var bytes: [UInt8] = []
  /// Complete pieces that are sent before `bytes`.
  private var pieces: [Piece] = []
  private var sent = 0

  var isEmpty: Bool { pieces.isEmpty && bytes.count == sent }

  /// The number of unsent bytes.
  var count: Int { pieces.reduce(bytes.count - sent) { $0 + $1.count } }

  /// All unsent bytes in one array.
  var everything: [UInt8] {
    get throws(CassetteError) {
      var all: [UInt8] = []
      for piece in pieces {
        all += piece.bytes[piece.sent...]
        if let (file, range) = piece.rest { all += try PlayedBody.bytes(of: file, range) }
      }
      return all + bytes[sent...]
    }
  }

  mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  @inline(__always)
  mutating func append(_ more: [UInt8]) {
    if more.count >= Self.largeBody { appendLarge(more) } else { bytes += more }
  }

  /// Appends bytes that are known to be few, without checking their number.
  @inline(__always)
  mutating func append(small more: [UInt8]) { bytes += more }

  mutating func append(_ text: String) { bytes += text.utf8 }

  @inline(__always)
  mutating func append(_ more: ArraySlice<UInt8>) { bytes += more }

  /// Overwrites bytes that were just appended, to update the date in a prepared answer.
  @inline(__always)
  mutating func overwrite(at offset: Int, with text: [UInt8]) {
    for index in text.indices { bytes[offset + index] = text[index] }
  }

  /// Appends a number in hexadecimal digits.
  mutating func appendHexadecimal(_ number: Int) {
    // A string for each of many small chunks takes longer to create than the chunk takes to send.
    var shift = (Int.bitWidth - 1 - max(number, 1).leadingZeroBitCount) & ~3
    while shift >= 0 {
      bytes.append(Self.digits[number >> shift & 15])
      shift -= 4
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private mutating func appendLarge(_ more: [UInt8]) { append(Piece(bytes: more)) }

  /// Appends a range of a file, which is read in small parts when it is sent.
  mutating func append(_ file: BodyFile, _ range: Range<Int>) {
    if !range.isEmpty { append(Piece(bytes: [], rest: (file, range))) }
  }

  private mutating func append(_ piece: Piece) {
    if bytes.count > sent { pieces.append(Piece(bytes: bytes, sent: sent)) }
    pieces.append(piece)
    bytes = []
    sent = 0
  }

  /// Moves all bytes of another output to the end of this one.
  mutating func append(contentsOf other: inout Output) {
    for piece in other.pieces { append(piece) }
    if bytes.isEmpty, other.sent == 0 {
      swap(&bytes, &other.bytes)
    } else {
      bytes += other.bytes[other.sent...]
    }
    other.removeAll()
  }

  /// Removes all bytes, and keeps the allocated capacity.
  @inline(__always)
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    sent = 0
    if !pieces.isEmpty { pieces = [] }
  }

  /// The result of writing.
  enum Progress: Equatable {
    case done
    case blocked
    case broken
  }

  /// Writes as many bytes as the socket accepts, a head together with its body.
  mutating func write(to descriptor: Int32) -> Progress {
    var written = 0
    while !pieces.isEmpty {
      // The socket is still writable, so the event loop continues here after serving its other clients.
      guard written < Self.mostInARow else { return .blocked }
      guard pieces[0].refill(), pieces.count == 1 || pieces[1].refill() else { return .broken }
      switch writePieces(to: descriptor) {
      case .bytes(let count):
        drop(count)
        written += count
      case .wouldBlock: return .blocked
      case .ended, .failed: return .broken
      }
    }
    while sent < bytes.count {
      guard written < Self.mostInARow else { return .blocked }
      let result = bytes.withUnsafeBytes {
        Platform.send(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...].prefix(Self.mostInARow)))
      }
      switch result {
      case .bytes(let count):
        sent += count
        written += count
      case .wouldBlock: return .blocked
      case .ended, .failed: return .broken
      }
    }
    return .done
  }

  private func writePieces(to descriptor: Int32) -> IOResult {
    let first = pieces[0]
    return first.bytes.withUnsafeBytes { head in
      let head = UnsafeRawBufferPointer(rebasing: head[first.sent...].prefix(Self.mostInARow))
      guard pieces.count > 1, first.rest == nil, head.count == first.bytes.count - first.sent else {
        return Platform.send(descriptor, head)
      }
      return pieces[1].bytes.withUnsafeBytes { body in
        Platform.send(
          descriptor, head, UnsafeRawBufferPointer(rebasing: body[pieces[1].sent...].prefix(Self.mostInARow)))
      }
    }
  }

  /// Writes as many bytes as a client accepts over TLS, one piece after the other.
  ///
  /// Bytes that were not accepted are offered again from the same start, possibly with more bytes after them: OpenSSL
  /// insists on that.
  mutating func write(over channel: any AcceptedChannel) -> Progress {
    var written = 0
    while !isEmpty {
      guard written < Self.mostInARow else { return .blocked }
      guard pieces.isEmpty || pieces[0].refill() else { return .broken }
      let result =
        if let first = pieces.first {
          first.bytes.withUnsafeBytes { Self.send($0, from: first.sent, over: channel) }
        } else {
          bytes.withUnsafeBytes { Self.send($0, from: sent, over: channel) }
        }
      switch result {
      case .bytes(let count):
        drop(count)
        written += count
      case .wouldBlock: return .blocked
      case .ended, .failed: return .broken
      }
    }
    return .done
  }

  private static func send(
    _ bytes: UnsafeRawBufferPointer, from start: Int, over channel: any AcceptedChannel
  ) -> IOResult {
    channel.send(UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(mostInARow)))
  }

  private mutating func drop(_ count: Int) {
    var left = count
    while left > 0, !pieces.isEmpty {
      let size = pieces[0].bytes.count - pieces[0].sent
      if left < size || pieces[0].rest != nil {
        pieces[0].sent += min(left, size)
        return
      }
      left -= size
      pieces.removeFirst()
    }
    sent += left
  }
}
