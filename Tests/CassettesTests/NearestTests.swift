import Cassettes
import Testing

@Suite struct NearestTests {
  @Test(
    arguments: [
      ("respnse", "response"), ("Request", "request"), ("uri", "url"), ("reuqest", "request"), ("headers", "headers"),
      ("ur", "url"), ("--prot", nil), ("x", nil), ("", nil), ("zzzzzz", nil), ("ulr", "url"),
    ] as [(String, String?)])
  func `the nearest word is suggested for a misspelled word`(_ written: String, _ meant: String?) {
    #expect(nearest(to: written, among: ["request", "response", "headers", "url"]) == meant)
  }

  @Test func `the first of equally near words is suggested`() {
    #expect(nearest(to: "--prot", among: ["--host", "--port"]) == "--port")
    #expect(nearest(to: "b", among: []) == nil)
  }
}
