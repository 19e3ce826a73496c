import CassetteHTTP
import Testing

@testable import CassetteEngines

/// Random patches, documents and requests must not end the process or exceed the limits.
@Suite struct HostileInputTests {
  private struct Made: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }

    mutating func value(depth: Int = 0) -> String {
      switch Int.random(in: 0..<(depth > 4 ? 4 : 7), using: &self) {
      case 0: return "null"
      case 1: return "\(Int.random(in: -3...12, using: &self))"
      case 2: return ["\"\"", "\"a\"", "\"\\ud800\"", "\"~/\"", "\"{{id}}\""].randomElement(using: &self) ?? "1"
      case 3: return ["true", "1e400", "1.0", "-0"].randomElement(using: &self) ?? "1"
      case 4, 5:
        let names = (0..<Int.random(in: 0..<4, using: &self)).map { _ in
          ["a", "b", "", "/", "~", "id", "0"].randomElement(using: &self) ?? "a"
        }
        return "{\(names.map { "\"\($0)\":\(value(depth: depth + 1))" }.joined(separator: ","))}"
      default:
        return
          "[\((0..<Int.random(in: 0..<4, using: &self)).map { _ in value(depth: depth + 1) }.joined(separator: ","))]"
      }
    }

    mutating func pointer() -> String {
      let steps = ["a", "b", "", "~1", "~0", "~", "id", "0", "1", "-", "01", "99999999999999999999", "\\u0000"]
      return (0..<Int.random(in: 0..<5, using: &self)).map { _ in "/\(steps.randomElement(using: &self) ?? "a")" }
        .joined()
    }

    mutating func operation() -> String {
      let names = ["add", "remove", "replace", "move", "copy", "test", "jump"]
      let name = names.randomElement(using: &self) ?? "add"
      let path = pointer()
      let from = pointer()
      return #"{"op":"\#(name)","path":"\#(path)","from":"\#(from)","value":\#(value())}"#
    }
  }

  @Test(arguments: 0..<8)
  func `a random patch is applied completely or leaves the document unchanged`(seed: UInt64) throws {
    var made = Made(state: seed)
    var limits = JSONPatch.Limits()
    limits.size = 4_096
    limits.depth = 32
    for _ in 0..<2_000 {
      let text = made.value()
      guard var value = EditableJSON(Array(text.utf8)) else {
        Issue.record("\(text) is no JSON")
        return
      }
      let before = value.bytes
      let operations = (0..<Int.random(in: 0..<12, using: &made)).map { _ in made.operation() }
      guard let patch = EditableJSON(Array("[\(operations.joined(separator: ","))]".utf8)) else { continue }
      do {
        try JSONPatch(patch, limits: limits).apply(to: &value)
        #expect(EditableJSON(value.bytes) != nil, "the result of a patch must be JSON")
        #expect(value.measure.depth <= 33)
        #expect(value.bytes.count < 8_192)
      } catch {
        #expect(value.bytes == before)
      }
    }
  }

  @Test(arguments: 0..<8)
  func `a random request to a resource is answered, and the state stays within its limits`(seed: UInt64) throws {
    var made = Made(state: seed &+ 100)
    var asked = try Asked(
      #"{"path":"/t","seed":[{"id":1,"a":{}}],"operations":{"list":200,"create":201,"read":200,"replace":200,"#
        + #""patch":200,"delete":204,"clear":204},"list":{"page":"p","size":"s","perPage":3,"filter":["a"],"sort":"o"}}"#
    )
    let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "BREW"]
    let targets = [
      "/t", "/t/1", "/t/2", "/t/%00", "/t/%zz", "/t?p=-1&s=x", "/t?p=99&s=1&o=-a,,b&a=1", "/t?a&a=&=", "/t/~",
    ]
    for _ in 0..<2_000 {
      let body = Bool.random(using: &made) ? made.value() : "[\(made.operation())]"
      let method = methods.randomElement(using: &made) ?? "GET"
      let target = targets.randomElement(using: &made) ?? "/t"
      let response = try asked.ask("\(method) \(target) \(body)")
      #expect((200...507).contains(response.status.code))
      if response.status.allowsContent, !response.body.isEmpty {
        #expect(EditableJSON(response.body) != nil, "\(method) \(target) \(body)")
      }
      #expect(asked.state.ownSize >= 0 && asked.state.size >= asked.state.ownSize)
    }
  }
}
