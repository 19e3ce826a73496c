import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One request on a connection of its own, as bytes, and what came back.
enum RawClient {
  struct Answer {
    var status = 0
    var fields: [(String, String)] = []
    var body = Data()
  }

  struct Failure: Error {}

  static func ask(
    port: Int, method: String, target: String, fields: [(String, String)], body: Data
  ) throws -> Answer {
    var request = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    for (name, value) in fields { request += "\(name): \(value)\r\n" }
    if !body.isEmpty || ["POST", "PUT", "PATCH"].contains(method) { request += "Content-Length: \(body.count)\r\n" }
    return try answer(to: Data(request.utf8) + Data("\r\n".utf8) + body, port: port)
  }

  private static func answer(to request: Data, port: Int) throws -> Answer {
    #if canImport(Glibc)
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let client = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard client >= 0 else { throw Failure() }
    defer { close(client) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw Failure() }
    var rest = Array(request)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
      guard count > 0 else { throw Failure() }
      rest = rest.dropFirst(count)
    }
    var bytes = Data()
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(client, &part, part.count)
      guard count > 0 else { break }
      bytes += part[..<count]
    }
    return try parse(bytes)
  }

  private static func parse(_ bytes: Data) throws -> Answer {
    guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { throw Failure() }
    var answer = Answer(body: Data(bytes[end.upperBound...]))
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else { throw Failure() }
    answer.status = status
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw Failure() }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      answer.fields.append((String(line[..<colon]), value))
    }
    return answer
  }
}
