import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

/// Hostile documents, which must give a clear error or valid responses in bounded time.
@Suite struct HostileSpecificationTests {
  /// A value nested to the maximum depth of recursive schemas.
  private static let value: [UInt8] = {
    var text = #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!""#
    for depth in 0..<60 { text = depth % 2 == 0 ? #"{"a":\#(text),"b":[1,2],"c":null}"# : "[\(text),1]" }
    return Array(text.utf8)
  }()

  /// Seeds of schemas with so many references that to follow them all would take half a minute.
  private static let slow = [6936, 9347]

  @Test(arguments: Array(0..<60) + slow)
  func `a random document is an error with its place or gives responses that meet it`(_ seed: Int) {
    do throws(OpenAPIError) {
      let document = try OpenAPIDocument(HostileSpecifications.text(UInt64(seed)))
      let failures = HostileRun.failures(of: document, value: Self.value)
      #expect(failures.isEmpty, "\(failures)")
    } catch {
      #expect(!error.message.isEmpty && error.line > 0 && error.column > 0, "\(error)")
    }
  }

  /// Returns a document with twelve nested levels of a schema, in which `NEXT` refers to the next level.
  static func bomb(_ level: String, operations: Int = 1) -> [UInt8] {
    let schemas = (0..<12).map { number in
      let next = ##"{"$ref":"#/components/schemas/L\##(number + 1)"}"##
      return #""L\#(number)":\#(level.replacing("NEXT", with: next))"#
    }
    let content = ##"{"application/json":{"schema":{"$ref":"#/components/schemas/L0"}}}"##
    let paths = (0..<operations).map { number in
      #""/\#(number)":{"get":{"responses":{"200":{"description":"x","content":\#(content)}}}}"#
    }
    return Array(
      (#"{"openapi":"3.1.0","paths":{\#(paths.joined(separator: ","))},"components":{"schemas":{"#
        + schemas.joined(separator: ",") + #","L12":{"type":"string"}}}}"#).utf8)
  }

  /// Repeats a part of a schema ten times, with `#N` replaced by 0 to 9.
  private static func ten(_ part: String) -> String {
    (0..<10).map { part.replacing("#N", with: "\($0)") }.joined(separator: ",")
  }

  /// An object with ten required members.
  static let members =
    #"{"type":"object","required":[\#(ten(#""p#N""#))],"properties":{\#(ten(#""p#N":NEXT"#))}}"#
  private static let part = #"{"type":"object","required":["p#N"],"properties":{"p#N":NEXT}}"#

  @Test(
    arguments: [
      members, #"{"allOf":[\#(ten("NEXT"))]}"#, #"{"oneOf":[\#(ten("NEXT"))]}"#,
      #"{"not":{"anyOf":[\#(ten("NEXT"))]}}"#, #"{"type":"array","minItems":10,"items":NEXT}"#,
      #"{"allOf":[\#(ten(part))]}"#,
    ])
  func `a schema with 10^12 paths of references is answered with 500 and marked as heavy`(level: String) throws {
    let specification = Specification(try OpenAPIDocument(Self.bomb(level)))
    #expect(specification.isHeavy)
    let target = try #require(HTTPTarget("/0"))
    let answer = try #require(specification.answer(HTTPRequest(method: .get, target: target), .init()))
    let text = String(decoding: answer.response.body, as: UTF8.self)
    #expect(answer.response.status == 500 && text.contains("cannot be made"), "\(text)")
  }

  @Test func `an ordinary document is not marked as heavy`() throws {
    #expect(!Specification(try OpenAPIDocument(Self.bomb(#"{"type":"integer"}"#))).isHeavy)
  }

  @Test func `a YAML alias bomb is an error that names the alias`() {
    var text = "openapi: 3.1.0\na0: &a0 [x, x]\n"
    for depth in 1..<12 {
      let aliases = Array(repeating: "*a\(depth - 1)", count: 10).joined(separator: ", ")
      text += "a\(depth): &a\(depth) [\(aliases)]\n"
    }
    let error = #expect(throws: OpenAPIError.self) { try OpenAPIDocument(Array(text.utf8)) }
    #expect(error?.message.contains("alias") == true, "\(error as Any)")
  }
}
