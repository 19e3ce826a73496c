import CassetteHTTP
import Cassettes
import MockServerWire
import TestSupport
import Testing

/// Field values that are not UTF-8 on the wire.
@Suite struct FieldBytesTests {
  @Test func `a field value in ISO-8859-1 is written as text with a latin1 mark, and read back`() throws {
    var response = RecordedResponse(status: 200)
    response.headers = HTTPHeaders(fields: [
      .init(name: "X-Name", value: "caf\u{e9}", isLatin1: true), .init(name: "X-Name", value: "caf\u{e9}"),
    ])
    response.trailers = HTTPHeaders(fields: [.init(name: "X-End", value: "\u{80}\u{ff}", isLatin1: true)])
    let cassette = Cassette(
      name: "test", interactions: [Interaction(method: .get, url: "/a", outcome: .response(response))])
    let written = try text(of: cassette)
    #expect(written.contains(#"["X-Name", "café", "latin1"],"#))
    #expect(written.contains(#"["X-Name", "café"]"#))
    let again = try #require(try read(written).interactions[0].response)
    #expect(again.headers == response.headers)
    #expect(again.trailers == response.trailers)
    #expect(try text(of: try read(written)) == written)
  }

  @Test(arguments: [#"["A","b","latin2"]"#, #"["A","\u0100","latin1"]"#, #"["A","b","latin1","c"]"#, #"["A","b",1]"#])
  func `an invalid latin1 field is an error`(field: String) throws {
    let found = problems(cassette(response: #"{"status":200,"headers":[\#(field)]}"#))
    #expect(found.count == 1 && found[0].contains("latin1"), "\(found)")
  }

  @Test func `a latin1 field is serialized in ISO-8859-1, and other fields in UTF-8`() {
    var bytes: [UInt8] = []
    ResponseSerializer.appendHead(
      status: 200,
      headers: HTTPHeaders(fields: [
        .init(name: "A", value: "\u{e9}", isLatin1: true), .init(name: "B", value: "\u{e9}"),
      ]), to: &bytes)
    #expect(bytes.suffix(14) == [65, 58, 32, 0xe9, 13, 10, 66, 58, 32, 0xc3, 0xa9, 13, 10, 13, 10].suffix(14))
  }
}
