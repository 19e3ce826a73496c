import Cassettes
import Testing

@Suite struct NearestTests {
  @Test(
    arguments: [
      ("respnse", "response"), ("Request", "request"), ("uri", "url"), ("reuqest", "request"), ("headers", "headers"),
      ("ur", "url"), ("--prot", nil), ("x", nil), ("", nil), ("zzzzzz", nil), ("ulr", "url"),
    ] as [(String, String?)])
  func `the nearest word is what was meant`(_ written: String, _ meant: String?) {
    #expect(nearest(to: written, among: ["request", "response", "headers", "url"]) == meant)
  }

  @Test func `the first of equally near words wins`() {
    #expect(nearest(to: "--prot", among: ["--host", "--port"]) == "--port")
    #expect(nearest(to: "b", among: []) == nil)
  }
}
