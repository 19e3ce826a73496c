#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One request of any bytes on a connection of its own, and everything that came back.
enum PlantedClient {
  static func ask(_ request: [UInt8], port: Int) throws -> [UInt8] {
    let client = try WireClient.connection(port: port)
    defer { close(client) }
    guard request.withUnsafeBytes({ write(client, $0.baseAddress, $0.count) }) == request.count
    else {
      throw WireClient.Refused()
    }
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = read(client, &part, part.count)
      guard count > 0 else { return answer }
      answer += part[..<count]
    }
  }
}
