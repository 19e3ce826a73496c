internal import CassetteSystem

extension Platform {
  /// The result of peeking at a socket.
  package enum NextByte: Equatable, Sendable {
    case byte(UInt8)
    case none
    case ended
  }

  /// Returns the next byte without removing it from the receive buffer.
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
