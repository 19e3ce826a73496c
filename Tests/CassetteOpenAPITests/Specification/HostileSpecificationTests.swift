import CassetteHTTP
import Testing

@testable import CassetteOpenAPI

/// Documents that nobody would write: they end in a clear error or in answers that meet them, never in a hang.
@Suite struct HostileSpecificationTests {
  /// A value as deep as schemas that refer to themselves can follow.
  private static let value: [UInt8] = {
    var text = #""aaaaaaaaaaaaaaaaaaaaaaaaaaaaa!""#
    for depth in 0..<60 { text = depth % 2 == 0 ? #"{"a":\#(text),"b":[1,2],"c":null}"# : "[\(text),1]" }
    return Array(text.utf8)
  }()

  /// Schemas that refer to one another in so many ways that to follow each takes half a minute.
  private static let slow = [6936, 9347]

  @Test(arguments: Array(0..<60) + slow) func `a document from a fuzzer is refused with a place, or answers as it says`(
    _ seed: Int
  ) {
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
  func `Schemas that refer to one another in 10^12 ways are a 500 that says so, made outside of a loop`(
    level: String
  ) throws {
    let specification = Specification(try OpenAPIDocument(Self.bomb(level)))
    #expect(specification.isHeavy)
    let target = try #require(HTTPTarget("/0"))
    let answer = try #require(specification.answer(HTTPRequest(method: .get, target: target), .init()))
    let text = String(decoding: answer.response.body, as: UTF8.self)
    #expect(answer.response.status == 500 && text.contains("cannot be made"), "\(text)")
  }

  @Test func `An ordinary document is not heavy`() throws {
    #expect(!Specification(try OpenAPIDocument(Self.bomb(#"{"type":"integer"}"#))).isHeavy)
  }

  @Test func `An alias bomb is refused by name`() {
    var text = "openapi: 3.1.0\na0: &a0 [x, x]\n"
    for depth in 1..<12 {
      let aliases = Array(repeating: "*a\(depth - 1)", count: 10).joined(separator: ", ")
      text += "a\(depth): &a\(depth) [\(aliases)]\n"
    }
    let error = #expect(throws: OpenAPIError.self) { try OpenAPIDocument(Array(text.utf8)) }
    #expect(error?.message.contains("alias") == true, "\(error as Any)")
  }
}
