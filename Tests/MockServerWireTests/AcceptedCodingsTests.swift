import CassetteHTTP
import MockServerWire
import Testing

@Suite struct AcceptedCodingsTests {
  @Test(
    arguments: [
      ([], "gzip", false), (["gzip"], "gzip", true), (["GZip , br"], "gzip", true), (["br"], "gzip", false),
      (["x-gzip"], "gzip", true), (["gzip"], "x-gzip", true), (["*"], "gzip", true), (["*;q=0"], "gzip", false),
      (["*, gzip;q=0"], "gzip", false), (["gzip;q=0"], "gzip", false), (["gzip;q=0.000"], "gzip", false),
      (["gzip; q=0.001"], "gzip", true), (["identity"], "gzip", false),
      (["identity, gzip;q=0.5"], "gzip", false), (["identity;q=0.5, gzip;q=0.5"], "gzip", true),
      (["identity;q=0, gzip"], "gzip", true), (["br", "deflate"], "deflate", true), ([""], "gzip", false),
      (["gzip;q=x"], "gzip", true), (["gzip, br"], "gzip, br", true), (["br"], "gzip, br", false),
      (["*"], "br, br", true),
      (["gzip", "br;q=0"], "gzip, br", false), (["gzip;level=1;Q=0"], "gzip", false),
    ] as [([String], String, Bool)])
  func `the weights of Accept-Encoding decide if a coding is preferred`(
    fields: [String], coding: String, isPreferred: Bool
  ) {
    #expect(AcceptedCodings(fields).prefers(coding) == isPreferred)
  }
}
