import CassetteHTTP
import CassetteRecording
import Cassettes
import TestSupport
import Testing

@Suite struct EmptyBodyTests {
  @Test(arguments: [(HTTPMethod.post, true), (.put, true), (.patch, true), (.get, false), (.delete, false)])
  func `an empty body is recorded for POST, PUT and PATCH only`(
    method: HTTPMethod, isSaid: Bool
  ) throws {
    let recording = Recording(into: Cassette(name: "test"))
    let request = HTTPRequest(method: method, target: try #require(HTTPTarget("/a")))
    let token = recording.begin(request, origin: "https://api.example.com")
    recording.finish(token, RecordedResponse(status: 204))
    let written = try text(of: try recording.merged().cassette)
    #expect(written.contains("\"body\": {\n          \"text\": \"\"\n        }") == isSaid)
    #expect((try read(written).interactions[0].requestBody != nil) == isSaid)
  }

  @Test func `an empty request body and a missing one are kept apart in a file`() throws {
    for body in [#","body":{"text":""}"#, #","body":{"base64":""}"#, #","body":{"text":[]}"#] {
      let once = try text(of: try read(cassette(request: #"{"method":"POST","url":"/a"\#(body)}"#)))
      let again = try read(once)
      #expect(try again.interactions[0].requestBody?.bytes() == [])
      #expect(try text(of: again) == once)
    }
    let none = try read(try text(of: try read(cassette(request: #"{"method":"POST","url":"/a"}"#))))
    #expect(none.interactions[0].requestBody == nil)
  }

  @Test func `an empty response body is written like a missing one`() throws {
    let written = try text(of: try read(cassette(response: #"{"status":200,"body":{"text":""}}"#)))
    #expect(!written.contains("body"))
  }
}
