import CassetteFormats
import CassetteHTTP
import Cassettes
import Foundation
import TestSupport
import Testing

/// Cassettes of other tools, as their YAML libraries write them.
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
  private func `a YAML cassette is imported with its request and response`(_ sample: Sample) throws {
    let imported = try Imported.of(sample.text, named: "sample.yml")
    let recording = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    #expect(imported.report.skipped.isEmpty && imported.report.leftOut == 0, "\(imported.report)")
    #expect(recording.method == "GET" && recording.pathAndQuery == "/x?y=1" && recording.status == 201)
    let response = try #require(recording.response)
    #expect(response.headers["X-Kept"] == sample.field)
    #expect(try String(decoding: response.body?.bytes() ?? [], as: UTF8.self) == sample.body)
  }

  @Test(arguments: ["no", "0755", "1_000", "12:30:45", "0x1F", "1.50", "Yes", "true"])
  func `an unquoted YAML scalar is imported as written if the format expects text`(scalar: String) throws {
    let yaml = """
      interactions:
      - request: {method: POST, uri: 'https://a.example/', headers: {X-A: [\(scalar)]}, body: \(scalar)}
        response: {status: {code: 200, message: \(scalar)}, headers: {X-B: \(scalar)}, body: {string: \(scalar)}}
      """
    let imported = try Imported.of(yaml, named: "sample.yml")
    let recording = try #require(imported.cassette?.interactions.first, "\(imported.report)")
    #expect(recording.requestHeaders["X-A"] == scalar && recording.response?.headers["X-B"] == scalar)
    #expect(try recording.requestBody?.bytes() == Array(scalar.utf8))
    #expect(try recording.response?.body?.bytes() == Array(scalar.utf8))
    #expect(recording.response?.reason == scalar)
  }

  private static let rlang = [
    "base64_string: aGVs bG8=", "raw_gzip: |-\n        eJzLSM3JyQcABiwCFQ==",
    "raw_gzip: H4sIAAAAAAAAA8tIzcnJBwCGphA2BQAAAA==", "string: hello",
  ]

  @Test(arguments: rlang)
  func `a cassette of R's vcr is imported with status, reason and body`(body: String) throws {
    let yaml = """
      http_interactions:
      - request: {method: get, uri: 'https://a.example/x'}
        response:
          status: {status_code: '200', category: Success, reason: Fine, message: 'Success: (200) OK'}
          headers: {status: HTTP/2 200, content-type: text/plain}
          body:
            encoding: ''
            file: no
            \(body)
        recorded_at: 2022-11-10 18:31:05 GMT
        recorded_with: vcr/1.2.0, webmockr/0.8.2
      """
    let imported = try Imported.of(yaml, named: "sample.yml")
    let response = try #require(imported.cassette?.interactions.first?.response, "\(imported.report)")
    #expect(response.status == 200 && response.reason == "Fine" && imported.report.leftOut == 0)
    #expect(response.headers == [("content-type", "text/plain")])
    #expect(try response.body?.bytes() == Array("hello".utf8))
  }

  @Test(arguments: [("image/png", true), ("text/plain", false)])
  func `Base64 in the string of an old cassette of R's vcr is decoded only for media`(
    type: String, isDecoded: Bool
  ) throws {
    let media = (0..<60).map { UInt8($0 * 4) }
    let base64 = Data(media).base64EncodedString()
    let yaml = """
      http_interactions:
      - request: {method: get, uri: 'https://a.example/x'}
        response: {status: {status_code: 200}, headers: {content-type: \(type)}, body: {string: \(base64)}}
      """
    let imported = try Imported.of(yaml, named: "sample.yml")
    let body = try imported.cassette?.interactions.first?.response?.body?.bytes()
    #expect(body == (isDecoded ? media : Array(base64.utf8)))
  }

  @Test func `a damaged raw_gzip refuses the file`() {
    let yaml = """
      http_interactions:
      - request: {method: get, uri: 'https://a.example/x'}
        response: {status: 200, body: {raw_gzip: AAAA}}
      """
    #expect(throws: ImportTransaction.Failure.self) { try Imported.of(yaml, named: "sample.yml") }
  }

  @Test func `a recording without a response leaves a placeholder`() throws {
    let yaml = "interactions:\n- request: {method: GET, uri: 'https://a.example/'}\n"
    let imported = try Imported.of(
      yaml + "- request: {method: GET, uri: 'https://a.example/b'}\n  response: {status: {code: 200}}\n", named: "a.yml"
    )
    #expect(imported.cassette?.interactions.map { $0.failure?.gap != nil } == [true, false])
  }

  @Test func `a recording that is not HTTP is skipped and reported with its line`() throws {
    let imported = try Imported.of("interactions:\n- direction: sent\n  data: x\n", named: "ws.yaml")
    #expect(imported.report.imported == 0)
    #expect(imported.report.skipped.map(\.line) == [2])
    #expect(imported.report.skipped.first?.reason.contains("request") == true)
  }

  @Test func `a secret in the base64 of a YAML cassette is found`() throws {
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
