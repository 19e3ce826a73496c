import CassetteJSON
import Foundation
import Testing

@testable import CassetteEngines

private let corpora = ProcessInfo.processInfo.environment["CORPORA"]

/// RFC 6902.
@Suite struct JSONPatchTests {
  static func patched(_ document: String, _ patch: String, _ limits: JSONPatch.Limits = .init()) throws -> String {
    var value = try #require(EditableJSON(Array(document.utf8)))
    try JSONPatch(try #require(EditableJSON(Array(patch.utf8))), limits: limits).apply(to: &value)
    return String(decoding: value.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"[{"op":"add","path":"/b","value":[1.0]}]"#, #"{"a":1,"b":[1.0]}"#),
    (#"{"a":[1,2]}"#, #"[{"op":"add","path":"/a/1","value":9}]"#, #"{"a":[1,9,2]}"#),
    (#"{"a":[1,2]}"#, #"[{"op":"add","path":"/a/-","value":9}]"#, #"{"a":[1,2,9]}"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"replace","path":"/a","value":3}]"#, #"{"a":3,"b":2}"#),
    (#"{"a":1,"b":2}"#, #"[{"op":"remove","path":"/a"}]"#, #"{"b":2}"#),
    (#"{"a":{"b":1},"c":2}"#, #"[{"op":"move","from":"/a/b","path":"/d"}]"#, #"{"a":{},"c":2,"d":1}"#),
    (#"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#, #"{"a":{"b":1,"c":{"b":1}}}"#),
    (#"{"a":1e2}"#, #"[{"op":"test","path":"/a","value":100.0}]"#, #"{"a":1e2}"#),
    (#"{"a/b":1,"~":2}"#, #"[{"op":"remove","path":"/a~1b"},{"op":"remove","path":"/~0"}]"#, "{}"),
    (#"{"a":1}"#, #"[{"op":"replace","path":"","value":[]}]"#, "[]"),
  ])
  func `an operation changes only the value at its path`(document: String, patch: String, expected: String) throws {
    #expect(try Self.patched(document, patch) == expected)
  }

  @Test(arguments: [
    #"{}"#, #"[1]"#, #"[{"path":"/a"}]"#, #"[{"op":"add","path":"/a"}]"#, #"[{"op":"add","path":"a","value":1}]"#,
    #"[{"op":"jump","path":"/a"}]"#, #"[{"op":"move","path":"/a"}]"#, #"[{"op":"remove","path":"/~2"}]"#,
    #"[{"op":"remove","path":"/~"}]"#, #"[{"op":"add","op":"test","path":"/a","value":1}]"#,
    #"[{"op":"move","from":"/a","path":"/a/b"}]"#, #"[{"op":5,"path":"/a","value":1}]"#,
  ])
  func `a malformed patch is refused before any operation is applied`(patch: String) throws {
    let error = #expect(throws: JSONPatch.Failure.self) { try Self.patched(#"{"a":{"b":1}}"#, patch) }
    #expect(error?.isMalformed == true)
  }

  @Test(arguments: [
    #"[{"op":"remove","path":"/x"}]"#, #"[{"op":"replace","path":"/x","value":1}]"#,
    #"[{"op":"add","path":"/x/y","value":1}]"#, #"[{"op":"add","path":"/l/3","value":1}]"#,
    #"[{"op":"add","path":"/l/01","value":1}]"#, #"[{"op":"remove","path":"/l/-"}]"#,
    #"[{"op":"replace","path":"/l/-","value":1}]"#, #"[{"op":"test","path":"/a","value":"1"}]"#,
    #"[{"op":"copy","from":"/x","path":"/y"}]"#, #"[{"op":"add","path":"/a/b","value":1}]"#,
    #"[{"op":"remove","path":"/l/99999999999999999999"}]"#,
  ])
  func `a patch with a failing operation leaves the document unchanged`(patch: String) throws {
    let document = #"{"a":1,"l":[1,2]}"#
    var value = try #require(EditableJSON(Array(document.utf8)))
    let operations = #"[{"op":"add","path":"/done","value":true},"# + patch.dropFirst()
    let error = #expect(throws: JSONPatch.Failure.self) {
      try JSONPatch(try #require(EditableJSON(Array(operations.utf8)))).apply(to: &value)
    }
    #expect(error?.operation == 1)
    #expect(String(decoding: value.bytes, as: UTF8.self) == document)
  }

  @Test func `a patch that copies the document into itself fails at the size or depth limit`() throws {
    let doubling = (0..<60).map { #"{"op":"copy","from":"","path":"/\#($0)"}"# }.joined(separator: ",")
    let error = #expect(throws: JSONPatch.Failure.self) { try Self.patched(#"{"a":"0123456789"}"#, "[\(doubling)]") }
    #expect(error?.message.contains("bytes") == true)
    let deeper = (0..<60).map { _ in #"{"op":"copy","from":"/a","path":"/a/0/0"}"# }.joined(separator: ",")
    #expect(throws: JSONPatch.Failure.self) { try Self.patched(#"{"a":[[[]]]}"#, "[\(deeper),\(deeper),\(deeper)]") }
  }

  @Test func `a patch with too many operations on a long list is refused`() throws {
    let list = "[\(repeatElement("1", count: 20_000).joined(separator: ","))]"
    let shifting = repeatElement(#"{"op":"add","path":"/0","value":1}"#, count: 5_000).joined(separator: ",")
    let error = #expect(throws: JSONPatch.Failure.self) { try Self.patched(list, "[\(shifting)]") }
    #expect(error?.message == "the patch takes too many steps")
    let more = repeatElement(#"{"op":"remove","path":"/0"}"#, count: 10_001).joined(separator: ",")
    #expect(throws: JSONPatch.Failure.self) { try Self.patched(list, "[\(more)]") }
  }

  @Test(.enabled(if: corpora != nil, "CORPORA names no folder"), arguments: ["tests.json", "spec_tests.json"])
  func `each case of the public JSON Patch suite has the expected result`(file: String) throws {
    let bytes = try Data(contentsOf: URL(filePath: "\(corpora ?? "")/jsonpatch/\(file)"))
    guard case .array(let records)? = EditableJSON(Array(bytes)) else {
      Issue.record("\(file) is no array")
      return
    }
    var count = 0
    for record in records {
      guard let document = record["doc"], let patch = record["patch"], record["disabled"] == nil else { continue }
      count += 1
      let place: Comment = "\(record["comment"]?.string ?? "") \(String(decoding: patch.bytes, as: UTF8.self))"
      var value = document
      do {
        try JSONPatch(patch).apply(to: &value)
        if let expected = record["expected"] {
          #expect(value.saysTheSame(as: expected), place)
        } else {
          #expect(record["error"] == nil, place)
        }
      } catch {
        #expect(record["error"] != nil, place)
        #expect(value.saysTheSame(as: document), place)
      }
    }
    #expect(count > 8)
  }
}
