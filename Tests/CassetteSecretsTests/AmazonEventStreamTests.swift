import CassetteMatching
import CassetteSecrets
import CassetteSystem
import Testing

@Suite struct AmazonEventStreamTests {
  /// Returns the CRC-32 of bytes, one bit at a time.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
    }
  }

  private static func number(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xff) } }

  private static let fields: [UInt8] = [11] + Array(":event-type".utf8) + [7, 0, 5] + Array("chunk".utf8)

  private static func message(_ payload: String) -> [UInt8] {
    let payload = Array(payload.utf8)
    var bytes = number(UInt32(16 + fields.count + payload.count)) + number(UInt32(fields.count))
    bytes += number(checksum(bytes)) + fields + payload
    return bytes + number(checksum(bytes))
  }

  private static func redacted(_ body: [UInt8], pieces: [Int] = []) -> [[UInt8]] {
    var pass = RedactionPass(.standard)
    pass.collect(body, .body)
    return pass.replacing(in: body, .body, pieces: pieces) ?? [body]
  }

  @Test func `the checksum of the standard's example is CBF43926`() {
    #expect(Self.checksum(Array("123456789".utf8)) == 0xcbf4_3926)
  }

  @Test func `a count in a message of an event stream stays, as in JSON`() {
    let body = Self.message(#"{"usage":{"inputTokens":1078,"outputTokens":2037}}"#)
    #expect(Self.redacted(body).flatMap { $0 } == body)
  }

  @Test func `a redacted message of an event stream has new lengths and checksums, and the others keep their bytes`() {
    let first = Self.message(#"{"text":"hello"}"#)
    let body = first + Self.message(#"{"password":"Zk8vQ2xTw9Lm4s"}"#) + first
    let kept = first + Self.message(#"{"password":"{{secret:1}}"}"#) + first
    #expect(Self.redacted(body).flatMap { $0 } == kept)
    let piece = first.count + 20
    #expect(Self.redacted(body, pieces: [piece, body.count - piece]) == [kept.dropLast(first.count), first])
  }

  @Test func `a token that is split between two messages is redacted`() {
    let (one, two) = ("ghp_" + "aZ4kQ8vT1mX7cL2p", "R9wB5nJ3hF6dS0gY")
    let body = [one, two].flatMap { Self.message("{\"delta\":\"\($0)\"}") }
    let kept = ["{{secret:1}}", ""].flatMap { Self.message("{\"delta\":\"\($0)\"}") }
    #expect(Self.redacted(body).flatMap { $0 } == kept)
  }

  @Test func `the end of a message that was cut off is redacted`() {
    let body = Self.message(#"{"a":1}"#) + Self.message(#"{"password":"Zk8vQ2xTw9Lm4s"}"#).dropLast(5)
    let kept = String(decoding: Self.redacted(body).joined(), as: UTF8.self)
    #expect(!kept.contains("Zk8v"))
    #expect(Array(kept.utf8).starts(with: Self.message(#"{"a":1}"#).prefix(8)))
  }

  @Test func `a stand-in in a message is sent with the right checksum`() {
    let body = Self.message(#"{"id":"{{secret:1:uuid}}","pin":"{{secret:2:int,4}}"}"#)
    let sent = Self.message(#"{"id":"5ec2e700-0000-4000-8000-000000000001","pin":7002}"#)
    #expect(StandIns().rendered(body) == sent)
  }
}
