/// A request to a proxy for a tunnel, and the parser of the response (RFC 9110 §9.3.6).
struct Tunnel {
  /// The maximum length of a response head in bytes.
  private static let longestHead = 16 << 10

  private let request: [UInt8]
  private var sent = 0
  private var head: [UInt8] = []

  /// Creates a tunnel.
  ///
  /// - Parameter request: The complete `CONNECT` request, with its fields.
  init(asking request: [UInt8]) { self.request = request }

  /// Continues the exchange with the proxy.
  ///
  /// Call it when the descriptor is ready.
  mutating func proceed(on descriptor: Int32) -> OutgoingStream.Progress {
    while sent < request.count {
      let result = request.withUnsafeBytes { Platform.send(descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      guard case .bytes(let count) = result else { return Self.progress(of: result, .writable) }
      sent += count
    }
    // The head is read byte by byte, because the bytes after it belong to the tunnel.
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard head.count < Self.longestHead else { return .failed("the proxy's response is not HTTP") }
      let result = withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { byte in
        let result = Platform.receive(descriptor, into: byte)
        if case .bytes = result { head.append(byte[0]) }
        return result
      }
      guard case .bytes = result else { return Self.progress(of: result, .readable) }
    }
    let line = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self)
    let status = line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
    guard line.hasPrefix("HTTP/1."), status.hasPrefix("2") else {
      return .failed("the proxy refused the tunnel: \(status.prefix(80))")
    }
    return .ready
  }

  /// Returns the progress after a call that transferred no bytes.
  private static func progress(of result: IOResult, _ part: Readiness) -> OutgoingStream.Progress {
    switch result {
    case .bytes, .wouldBlock: .waits(part)
    case .ended: .failed("the proxy closed the connection")
    case .failed(let code): .failed("the proxy closed the connection: \(Platform.describe(code))")
    }
  }
}
