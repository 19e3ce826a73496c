import CassetteHTTP
import Testing

struct HTTPMethodTests {
  @Test func `a method is case-sensitive`() {
    #expect(HTTPMethod("get") != .get)
    #expect(HTTPMethod(rawValue: "GET") == .get)
  }

  @Test(arguments: [HTTPMethod.get, .head, .options, .trace])
  func `methods that only read are safe`(method: HTTPMethod) {
    #expect(method.isSafe)
  }

  @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .connect, "PURGE"])
  func `every other method is not safe`(method: HTTPMethod) {
    #expect(!method.isSafe)
    #expect(method.description == method.rawValue)
  }
}
