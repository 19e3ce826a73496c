import Foundation

/// One client's connection, blocking, for what wrk cannot measure.
final class Connection {
  private let descriptor: Int32

  init?(port: Int) {
    #if canImport(Darwin)
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { return nil }
    var patience = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Asks, and waits for the answer's first bytes.
  func ask(_ path: String) -> Bool {
    let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8)
    guard send(descriptor, request, request.count, 0) == request.count else { return false }
    var answer = [UInt8](repeating: 0, count: 8192)
    return recv(descriptor, &answer, answer.count, 0) > 12 && answer.starts(with: "HTTP/1.1 200".utf8)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
