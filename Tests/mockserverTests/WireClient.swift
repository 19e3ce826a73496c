import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One request on a connection of its own, and everything that came back.
enum WireClient {
  struct Refused: Error {}

  static func get(_ path: String, port: Int) throws -> String {
    let client = try connection(port: port)
    defer { close(client) }
    try send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n", to: client)
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(client, &part, part.count)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += part[..<count]
    }
  }

  static func send(_ request: String, to client: Int32) throws {
    let request = Array(request.utf8)
    guard write(client, request, request.count) == request.count else { throw Refused() }
  }

  /// A connected socket, to be closed by whoever asked for it.
  static func connection(port: Int) throws -> Int32 {
    #if canImport(Glibc)
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let client = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard client >= 0 else { throw Refused() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else {
      close(client)
      throw Refused()
    }
    return client
  }
}

/// A connection that stays open for one request after the other.
final class WireConnection {
  private let client: Int32
  private let port: Int

  init(port: Int) throws {
    client = try WireClient.connection(port: port)
    self.port = port
  }

  deinit { close(client) }

  /// Asks, and reads as much as `Content-Length` says.
  func ask(_ path: String) throws -> String {
    try WireClient.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", to: client)
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4096)
    while true {
      let text = String(decoding: answer, as: UTF8.self)
      if let head = text.range(of: "\r\n\r\n"), let name = text.range(of: "Content-Length: ") {
        let length = Int(text[name.upperBound...].prefix { $0.isNumber }) ?? 0
        if text[head.upperBound...].utf8.count >= length { return text }
      }
      let count = read(client, &part, part.count)
      guard count > 0 else { throw WireClient.Refused() }
      answer += part[..<count]
    }
  }
}
