import APIClientKit
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct `Request bodies` {
  private let client = APIClient(host: "api.example.com")

  /// Returns the body of a request and its media type.
  private func sent(_ request: Request<Void>) async throws -> (body: String, type: String?) {
    let made = try await client.makeURLRequest(for: request)
    return (String(decoding: made.httpBody ?? Data(), as: UTF8.self), made.value(forHTTPHeaderField: "Content-Type"))
  }

  @Test func `a form body is percent-encoded`() async throws {
    let form: FormBody = ["name": "Zoë & co", "empty": "", "name": "a+b=c~d"]
    let (body, type) = try await sent(.post("/login", body: form))
    #expect(body == "name=Zo%C3%AB+%26+co&empty=&name=a%2Bb%3Dc~d")
    #expect(type == "application/x-www-form-urlencoded")
  }

  @Test func `a multipart body contains fields, data and files`() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "multipart-\(UUID()).txt")
    try Data("disk".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let parts: [MultipartBody.Part] = [
      .field("title", "Holiday"),
      .file("photo", data: Data("JPEG".utf8), name: "it\"s\r\n.jpg", type: "image/jpeg"),
      try .file("note", at: file, type: "text/plain"),
    ]
    let (body, type) = try await sent(.post("/photos", body: MultipartBody(parts, boundary: "line")))
    #expect(type == "multipart/form-data; boundary=line")
    let expected = [
      "--line", "Content-Disposition: form-data; name=\"title\"", "", "Holiday",
      "--line", "Content-Disposition: form-data; name=\"photo\"; filename=\"it%22s%0D%0A.jpg\"",
      "Content-Type: image/jpeg", "", "JPEG",
      "--line", "Content-Disposition: form-data; name=\"note\"; filename=\"\(file.lastPathComponent)\"",
      "Content-Type: text/plain", "", "disk", "--line--", "",
    ]
    #expect(body.components(separatedBy: "\r\n") == expected)
  }

  @Test func `a multipart boundary is unique, and must not occur in a part`() throws {
    #expect(MultipartBody([]).boundary != MultipartBody([]).boundary)
    #expect(throws: EncodingError.self) { try MultipartBody([.field("a", "x--line")], boundary: "line").encoded() }
  }

  @Test func `a null member of a patch is encoded, and an unset member is omitted`() async throws {
    struct Change: Encodable {
      var name: Nullable<String>?
      var bio: Nullable<String>?
      var age: Nullable<Int>?
    }
    let (body, type) = try await sent(.patch("/user", body: Change(name: "kean", bio: .null)))
    #expect(body == #"{"bio":null,"name":"kean"}"#)
    #expect(type == "application/json")
    #expect(try await sent(.patch("/user", body: Change(age: .value(7)))).body == #"{"age":7}"#)
  }

  @Test func `a request's Content-Type replaces the media type of its body`() async throws {
    let request = Request<Void>.post("/a", body: FormBody([]), headers: ["content-type": "text/x-form"])
    #expect(try await sent(request).type == "text/x-form")
  }
}

@Suite struct `Obfuscated keys` {
  @Test func `an obfuscated key is revealed unchanged, and its source does not contain it`() throws {
    let source = ObfuscatedKey.source(of: "sk" + "_live_ünï")
    let numbers = source.matches(of: /0x([0-9a-f]+)/).compactMap { UInt8($0.1, radix: 16) }
    let half = numbers.count / 2
    #expect(ObfuscatedKey(Array(numbers[..<half]), salt: Array(numbers[half...])).revealed == "sk" + "_live_ünï")
    #expect(!source.contains("live"))
    #expect(source != ObfuscatedKey.source(of: "sk" + "_live_ünï"))
    #expect(ObfuscatedKey([97], salt: []).revealed == "a")
  }
}
