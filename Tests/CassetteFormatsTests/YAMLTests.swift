import CassetteFormats
import CassetteHTTP
import Cassettes
import Foundation
import TestSupport
import Testing

/// Cassettes of other tools as their YAML libraries write them.
@Suite struct YAMLTests {
  private struct Sample: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var body: String
    var field = "text"
  }

  private static let samples = [
    Sample(
      testDescription: "VCR",
      text: """
        ---
        http_interactions:
        - request:
            method: get
            uri: https://a.example/x?y=1
            body:
              encoding: US-ASCII
              string: ''
            headers:
              Accept:
              - "*/*"
          response:
            status:
              code: 201
              message: Made
            headers:
              X-Kept:
              - 'yes'
            body:
              encoding: UTF-8
              string: |-
                {"a":
                 1}
          recorded_at: Tue, 01 Nov 2011 04:58:44 GMT
        recorded_with: VCR 6.0.0
        """, body: "{\"a\":\n 1}", field: "yes"),
    Sample(
      testDescription: "vcrpy",
      text: """
        interactions:
        - request:
            body: null
            headers: {Accept: ['*/*']}
            method: GET
            uri: https://a.example/x?y=1
          response:
            body:
              string: !!binary |
                aP/8
            headers:
            - !!python/tuple
              - X-Kept
              - [!!binary dGV4dA==]
            status: {code: 201, message: Made}
        version: 1
        """, body: "h\u{fffd}\u{fffd}"),
    Sample(
      testDescription: "a serializer with parsed_body",
      text: """
        interactions:
        - request:
            method: GET
            uri: https://a.example/x?y=1
          response:
            headers: {x-kept: [text]}
            parsed_body:
              price: 1.50
              id: 12345678901234567890123
              list: [yes, ~]
            status: {code: 201, message: Made}
        version: 1
        """, body: #"{"price": 1.50, "id": 12345678901234567890123, "list": [true, null]}"#),
    Sample(
      testDescription: "go-vcr",
      text: """
        ---
        version: 2
        interactions:
        - id: 0
          request:
            proto: HTTP/1.1
            host: a.example
            body: ""
            form: {}
            headers: {}
            url: https://a.example/x?y=1
            method: GET
          response:
            proto: HTTP/1.1
            content_length: 2
            body: "{\\n}"
            headers:
              X-Kept:
              - text
            status: 201 Made
            code: 201
            duration: 12.5ms
        """, body: "{\n}"),
    Sample(
      testDescription: "VCR 1",
      text: """
        ---
        - !ruby/struct:VCR::HTTPInteraction
          request: !ruby/struct:VCR::Request
            method: :get
            uri: https://a.example/x?y=1
            body:
            headers:
          response: !ruby/struct:VCR::Response
            status: !ruby/struct:VCR::ResponseStatus
              code: 201
              message: Made
            headers:
              x-kept:
              - text
            body: plain
            http_version: "1.1"
        """, body: "plain"),
    Sample(
      testDescription: "VCR with strings that have instance variables, and tags of other libraries",
      text: """
        ---
        http_interactions:
        - request: !map:Application::Request
            method: !ruby/symbol get
            uri: https://a.example/x?y=1
            body: {encoding: UTF-8, string: ''}
            headers: !ruby/hash:ActiveSupport::HashWithIndifferentAccess {}
          response: !application/response
            status: {code: 201, message: !custom Made}
            headers: {X-Kept: [!ruby/string:Application::Text text]}
            body:
              encoding: UTF-8
              string: !ruby/string:ActiveSupport::SafeBuffer
                str: safe
                "@html_safe": true
        recorded_with: VCR 6.0.0
        """, body: "safe"),
  ]

  @Test(arguments: samples)
  private func `a cassette in YAML becomes one of ours`(_ sample: Sample) throws {
    let imported = try Imported.of(sample.text, named: "sample.yml")
    let recording = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    #expect(imported.report.skipped.isEmpty && imported.report.leftOut == 0, "\(imported.report)")
    #expect(recording.method == "GET" && recording.pathAndQuery == "/x?y=1" && recording.status == 201)
    let response = try #require(recording.response)
    #expect(response.headers["X-Kept"] == sample.field)
    #expect(try String(decoding: response.body?.bytes() ?? [], as: UTF8.self) == sample.body)
  }

  @Test func `a recording that is no HTTP is named with its line`() throws {
    let imported = try Imported.of("interactions:\n- direction: sent\n  data: x\n", named: "ws.yaml")
    #expect(imported.report.imported == 0)
    #expect(imported.report.skipped.map(\.line) == [2])
    #expect(imported.report.skipped.first?.reason.contains("request") == true)
  }

  @Test func `a secret in a cassette in YAML is found where it stands`() throws {
    let token = "ghp" + "_0123456789abcdefABCDEF0123456789abcd"
    let folder = try ScratchFolder()
    let path = "\(folder.path)/a.yaml"
    let base64 = Data("a text of some length with t=\(token) in it".utf8).base64EncodedString()
    let yaml = """
      interactions:
      - request: {method: GET, uri: 'https://a.example/'}
        response:
          status: {code: 200}
          body: {string: !!binary \(base64)}
      """
    try Data(yaml.utf8).write(to: URL(filePath: path))
    #expect(try !LeakScanner().leaks(in: path).isEmpty)
  }
}
