import CassetteContract
import CassetteHTTP
import CassetteSpecification
import Testing

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
