internal import CassetteSystem

extension Platform {
  /// The next byte to be read.
  package enum NextByte: Equatable, Sendable {
    case byte(UInt8)
    case none
    case ended
  }

  /// Tells the byte that will be read next; it stays to be read.
  package static func peek(_ descriptor: Int32) -> NextByte {
    var byte: UInt8 = 0
    while true {
      let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
      if count > 0 { return .byte(byte) }
      if count == 0 { return .ended }
      let error = errno
      if error == EINTR { continue }
      return error == EAGAIN || error == EWOULDBLOCK ? .none : .ended
    }
  }
}
