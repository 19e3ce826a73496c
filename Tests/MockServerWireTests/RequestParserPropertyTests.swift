import CassetteHTTP
import MockServerWire
import TestSupport
import Testing

/// Makes random requests that the parser accepts, with their bytes.
struct RequestMaker {
  var generator: Seeded

  init(seed: Int) {
    generator = Seeded(UInt64(truncatingIfNeeded: seed))
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: 0..<choices.count, using: &generator)]
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func text(_ alphabet: String, _ count: ClosedRange<Int>) -> String {
    let letters = Array(alphabet)
    return String((0..<number(count)).map { _ in pick(letters) })
  }

  /// Returns a random request and its bytes.
  mutating func request() -> (request: HTTPRequest, bytes: [UInt8]) {
    let method = pick(["GET", "POST", "PUT", "M-SEARCH", "x"])
    let target = "/" + text("abc/%41?&=é[]", 0...40)
    var headers: HTTPHeaders = [("Host", pick(["a", "shop.test:8080", "[::1]:1"]))]
    for _ in 0..<number(0...12) {
      let value = text("abc ,;\"=\tü~", 0...50)
      headers.append(
        "X" + text("abcABC-_.~09", 0...30),
        String(
          value.drop { " \t".contains($0) }.reversed()
            .drop { " \t".contains($0) }.reversed()))
    }
    let body = (0..<number(0...300)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var lines = "\(method) \(target) HTTP/1.1\r\n"
    var content = body
    var sent = headers
    switch number(0...2) {
    case 0:
      sent.append("Content-Length", String(body.count))
    case 1:
      sent.append("Transfer-Encoding", "chunked")
      content = chunks(of: body)
    default:
      content = []
    }
    for field in sent {
      lines += field.name + ":" + pick(["", " ", "\t", "  "]) + field.value + pick(["", " ", "\t"]) + "\r\n"
    }
    let request = HTTPRequest(
      method: HTTPMethod(method), target: HTTPTarget(target) ?? .root, headers: sent, body: content.isEmpty ? [] : body)
    return (request, Array((pick(["", "\r\n"]) + lines + "\r\n").utf8) + content)
  }

  private mutating func chunks(of body: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty {
      let size = number(1...rest.count)
      bytes += Array((pick(["", "0"]) + String(size, radix: 16) + pick(["", ";a", " ;b=\"c;\""]) + "\r\n").utf8)
      bytes += rest.prefix(size) + [0x0D, 0x0A]
      rest = rest.dropFirst(size)
    }
    return bytes + Array("0\r\n\(pick(["", "X-Sum: 1\r\n"]))\r\n".utf8)
  }
}

extension HTTPTarget {
  fileprivate static var root: HTTPTarget {
    guard let root = HTTPTarget("/") else { preconditionFailure("a slash is a target") }
    return root
  }
}

struct RequestParserPropertyTests {
  @Test(arguments: 0..<60)
  func `requests split at random bytes are parsed unchanged`(seed: Int) {
    var maker = RequestMaker(seed: seed)
    let made = (0..<maker.number(1...6)).map { _ in maker.request() }
    let bytes = made.flatMap(\.bytes)
    let whole = RequestStream(bytes)
    #expect(whole.error == nil)
    #expect(whole.requests == made.map(\.request))
    for _ in 0..<10 {
      let cuts = (0..<maker.number(1...12)).map { _ in maker.number(0...bytes.count) }
      #expect(RequestStream(bytes, cutAt: cuts).requests == whole.requests)
    }
    #expect(RequestStream.byteByByte(bytes).requests == whole.requests)
  }

  @Test(arguments: 0..<60)
  func `damaged requests have the same result however they are split`(seed: Int) {
    var maker = RequestMaker(seed: 1_000 + seed)
    let sound = (0..<3).flatMap { _ in maker.request().bytes }
    for _ in 0..<8 {
      var bytes = sound
      for _ in 0..<maker.number(1...3) {
        let at = maker.number(0...(bytes.count - 1))
        switch maker.number(0...3) {
        case 0: bytes[at] = UInt8(maker.number(0...255))
        case 1: bytes.remove(at: at)
        case 2: bytes.insert(maker.pick([0x0D, 0x0A, 0x20, 0x3A, 0x00, 0x3B]), at: at)
        default: bytes.removeLast(min(bytes.count - 1, maker.number(1...50)))
        }
      }
      let whole = RequestStream(bytes)
      let cuts = (0..<maker.number(1...12)).map { _ in maker.number(0...bytes.count) }
      for stream in [RequestStream(bytes, cutAt: cuts), .byteByByte(bytes)] {
        #expect(stream.requests == whole.requests)
        #expect(stream.error == whole.error)
        #expect(stream.isWaiting == whole.isWaiting)
      }
    }
  }

  @Test(arguments: 0..<40)
  func `random bytes are refused or incomplete`(seed: Int) {
    var maker = RequestMaker(seed: 2_000 + seed)
    let bytes = (0..<200).map { _ in UInt8(maker.number(0...255)) }
    #expect(RequestStream(bytes).requests.isEmpty)
    #expect(RequestStream(Array("GET / HTTP/1.1\r\nHost:".utf8) + bytes).requests.isEmpty)
  }
}
