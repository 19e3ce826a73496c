import Foundation
import TestSupport
import Testing

/// The command `verify --openapi`.
@Suite struct ContractTests {
  private static let document = """
    openapi: 3.1.0
    info: {title: Things, version: "1"}
    paths:
      /things/{id}:
        get:
          operationId: getThing
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses:
            "200": {content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}
      /others: {get: {operationId: listOthers, responses: {"200": {description: all}}}}
    """

  private static func cassette(_ path: String, _ body: String) -> String {
    """
    {"cassette": 1, "interactions": [
      {"request": {"method": "GET", "url": "https://a.example\(path)"},
       "response": {"status": 200, "headers": [["Content-Type", "application/json"]], "body": \(body)}}
    ]}
    """
  }

  @Test func `recordings that conform to the OpenAPI document exit 0, and coverage is printed`() throws {
    try Scratch.with { folder in
      try Scratch.write(Self.document, to: "\(folder)/api.yaml")
      try Scratch.write(Self.cassette("/things/1", #"{"json": {"id": 1}}"#), to: "\(folder)/a.json")
      let result = try Executable.run(["verify", "--openapi", "api.yaml", "a.json"], folder: folder)
      #expect(result.status == 0 && result.output.isEmpty, "\(result.output)\(result.error)")
      #expect(result.error.contains("1 exchange: 0 errors, 0 warnings; 1 of 2 operations covered"))
    }
  }

  @Test func `recordings that violate the OpenAPI document are reported with lines, in JUnit, SARIF and JSON`() throws {
    try Scratch.with { folder in
      try Scratch.write(Self.document, to: "\(folder)/api.yaml")
      try Scratch.write(Self.cassette("/things/1", #"{"json": {"id": "one", "more": 1}}"#), to: "\(folder)/a.json")
      let reports = ["--report", "junit=j.xml", "--report", "sarif=s.json"]
      let result = try Executable.run(["verify", "--openapi", "api.yaml", "a.json"] + reports, folder: folder)
      #expect(result.status == 1)
      #expect(
        result.output.contains("a.json:2: error: GET /things/1: response body $.id: must be integer"),
        "\(result.output)")
      #expect(result.output.contains("warning: GET /things/1: response body $.more: is not documented"))
      let junit = try String(contentsOfFile: "\(folder)/j.xml", encoding: .utf8)
      #expect(junit.contains("failures=\"1\"") && junit.contains("classname=\"getThing\""))
      let sarif = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: "\(folder)/s.json")))
      #expect("\(sarif)".contains("startLine = 2") || "\(sarif)".contains("\"startLine\": 2"), "\(sarif)")
      let json = try Executable.run(["verify", "--openapi", "api.yaml", "a.json", "--json"], folder: folder).output
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      #expect(object?["errors"] as? Int == 1 && object?["warnings"] as? Int == 1)
    }
  }

  @Test func `a syntax error in the OpenAPI document exits 65 with its line`() throws {
    try Scratch.with { folder in
      try Scratch.write("openapi: 3.1.0\npaths: {a: [}\n", to: "\(folder)/api.yaml")
      try Scratch.write(Self.cassette("/things/1", #"{"json": {}}"#), to: "\(folder)/a.json")
      let result = try Executable.run(["verify", "--openapi", "api.yaml", "a.json"], folder: folder)
      #expect(result.status == 65 && result.error.contains("api.yaml:2:13: YAML:"), "\(result.error)")
    }
  }
}

/// The command `generate openapi`.
@Suite struct GenerateTests {
  private static let cassette = """
    {"cassette": 1, "origin": "https://a.example", "interactions": [
      {"request": {"method": "GET", "url": "/things/1"},
       "response": {"status": 200, "headers": [["Content-Type", "application/json"]], "body": {"json": {"id": 1}}}},
      {"request": {"method": "GET", "url": "/things/2"},
       "response": {"status": 200, "headers": [["Content-Type", "application/json"]], "body": {"json": {"id": 2}}}}
    ]}
    """

  @Test func `the generated OpenAPI document describes all recordings, which conform to it`() throws {
    try Scratch.with { folder in
      try Scratch.write(Self.cassette, to: "\(folder)/a.json")
      let made = try Executable.run(["generate", "openapi", "a.json", "--into", "api.json"], folder: folder)
      #expect(made.status == 0 && made.output.hasPrefix("api.json describes 2 exchanges."), "\(made.error)")
      let text = try String(contentsOfFile: "\(folder)/api.json", encoding: .utf8)
      #expect(text.contains("\"/things/{thingId}\"") && text.contains("\"url\": \"https://a.example\""), "\(text)")
      let verified = try Executable.run(["verify", "--openapi", "api.json", "a.json"], folder: folder)
      #expect(
        verified.status == 0 && verified.error.contains("0 errors, 0 warnings; 1 of 1 operation"), "\(verified.error)")
      let printed = try Executable.run(["generate", "openapi", "a.json"], folder: folder)
      #expect(printed.output == text)
    }
  }

  @Test func `generate exits 64 for an unknown format and 66 without recordings`() throws {
    try Scratch.with { folder in
      try Scratch.write("{}", to: "\(folder)/a.json")
      #expect(try Executable.run(["generate", "client", "a.json"], folder: folder).status == 64)
      let none = try Executable.run(["generate", "openapi", "a.json"], folder: folder)
      #expect(none.status == 66, "\(none.status) \(none.error)")
    }
  }
}
