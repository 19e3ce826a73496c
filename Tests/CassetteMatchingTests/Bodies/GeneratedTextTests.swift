import Testing

@testable import CassetteMatching

struct GeneratedTextTests {
  private func masked(_ text: String, _ name: String = "") -> String? {
    GeneratedText.masked(Array(text.utf8), named: Array(name.utf8)).map { bytes in
      bytes.map { $0 == GeneratedText.mark ? "*" : String(UnicodeScalar($0)) }.joined()
    }
  }

  @Test(arguments: [
    "550e8400-e29b-41d4-a716-446655440000", "550E8400-E29B-41D4-A716-446655440000", "550e8400e29b41d4a716446655440000",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01arz3ndektsv4rrffq69g5fav", "507f1f77bcf86cd799439011",
    "0ujtsYcgvSTl8PAuAdqWYSMnLOv",
    "V1StGXR8_Z5jdHi6B-myT", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "kX8kq0Zt5oJ1m3Yb7uWv2Q==",
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
    "2026-11-22T01:02:03Z", "2026-11-22T01:02:03.123456+01:00", "2026-11-22T01:02:03,5-0430", "2026-11-22T01:02",
    "20261122T010203Z",
    "2026-11-22 01:02:03", "2026-11-22 01:02:03.5 +0100", "Sun, 22 Nov 2026 01:02:03 GMT",
    "Sunday, 22-Nov-2026 01:02:03 GMT",
    "Sun Nov 22 01:02:03 2026", "Sun, 22 Nov 2026 01:02:03 +0100", "11/22/2026, 1:02:03 AM", "22.11.2026 01:02:03",
    "Sun Nov 22 2026 01:02:03 GMT+0100 (Central European Standard Time)", "22/Nov/2026:01:02:03 +0000", "1700000000",
    "1700000000123",
    "1700000000.123",
  ])
  func `a UUID, an id, a hash, a token or a time is a generated value`(text: String) { #expect(masked(text) == "*") }

  @Test(arguments: [
    "", "2026-11-22", "1987-03-14", "gpt-4o-2024-08-06", "claude-3-5-sonnet-20241022", "1.22.333",
    "v2.0.0-beta.11+build.5",
    "jane.doe1987@example.com", "https://example.com/articles/2024/some-long-title-2", "DE89370400440532013000",
    "+4915112345678",
    "4111111111111111", "19.99", "my-blog-post-about-2024-elections", "a-rather-long-slug-with-words",
    "GetUserByIdV2Api3",
    "iphone15promax256gb", "12345678901234567890", "Hello, World! 42 times", "deadbeefdeadbeef", "ABC123DEF456GHI789",
    "aaaaaaaaaaaaaaaa1", "llama-3.1-70b-instruct-q4_K_M", "text-embedding-3-large", "us-east-1.compute.internal",
    "2026-11", "01:02:03",
    "eyJhbW91bnQiOjV9", "SGVsbG8gV29ybGQgMTIzNA==", "0123456789", "5000000000", "AKIAIOSFODNN7EXAMPLE",
    "Meet me at 10:30 in 2026",
    "UpdateS3BucketV2Acl1", "1HGCM82633A004352", "2221000000000009",
  ])
  func `a name, a number, an address or a version is not a generated value`(text: String) {
    #expect(masked(text) == nil)
  }

  @Test(arguments: [
    ("order-550e8400-e29b-41d4-a716-446655440000", "order-*"),
    ("urn:uuid:550e8400-e29b-41d4-a716-446655440000", "urn:uuid:*"),
    ("Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9Pl", "Bearer *"),
    ("https://x.com/a/550e8400-e29b-41d4-a716-446655440000/b?t=2026-11-22T01:02:03Z", "https://x.com/a/*/b?t=*"),
    ("made on 2026-11-22 01:02:03, by me", "made on *, by me"), ("seen Sun, 22 Nov 2026 01:02:03 GMT.", "seen *."),
    ("req_01ARZ3NDEKTSV4RRFFQ69G5FAV", "req_*"), ("sk-proj-V1StGXR8_Z5jdHi6B-myT", "sk-proj-*"),
    ("/Date(1700000000000)/", "/Date(*)/"),
    ("<id>550e8400-e29b-41d4-a716-446655440000</id><n>5</n>", "<id>*</id><n>5</n>"),
  ])
  func `a generated value within a longer string is masked, and the rest is kept`(text: String, wanted: String) {
    #expect(masked(text) == wanted)
  }

  @Test(arguments: [
    ("phoneNumber", false), ("accountId", false), ("amount", false), ("ean", false), ("userId", false),
    ("timestamp", true), ("", true),
    ("requestId", true), ("created", true),
  ])
  func `ten digits are a time unless the member's name is that of a number`(name: String, isTime: Bool) {
    #expect((masked("1700000000", name) != nil) == isTime)
    #expect(GeneratedText.isTimestamp(Array("1700000000".utf8), 0..<10, named: Array(name.utf8)) == isTime)
  }

  @Test func `bodies that differ only in generated values are alike`() {
    let one =
      #"{"id":"550e8400-e29b-41d4-a716-446655440000","at":1700000000,"n":[{"t":"2026-11-22T01:00:00Z"}],"s":"x"}"#
    let other =
      #"{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","at":1700000009,"n":[{"t":"2026-11-22T01:00:01Z"}],"s":"x"}"#
    #expect(Relation(body(one), body(other)) == .alike)
    #expect(body(one).differences(from: body(other)).map(\.place) == ["$.id", "$.at", "$.n[0].t"])
    #expect(Relation(body(one), body(other.replacing("\"x\"", with: "\"y\""))) == .different)
    #expect(Relation(body(one), body(other.replacing("1700000009", with: "\"1700000009\""))) == .different)
    #expect(Relation(body(one), body(other.replacing("1700000009", with: "5"))) == .different)
  }

  @Test func `SOAP bodies that differ only in a time and a message id are alike`() {
    func soap(_ id: String, _ time: String, _ amount: Int) -> NormalBody {
      body("<E>\n<h id=\"\(id)\">\(time)</h>\n<amount>\(amount)</amount></E>", "text/xml")
    }
    let one = soap("urn:uuid:550e8400-e29b-41d4-a716-446655440000", "2026-11-22T01:00:00Z", 5)
    let other = soap("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", "2026-11-22T01:00:01Z", 5)
    #expect(Relation(one, other) == .alike)
    #expect(one.differences(from: other).map(\.place) == ["line 2"])
    #expect(
      Relation(one, soap("urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8", "2026-11-22T01:00:01Z", 6)) == .different)
  }

  @Test func `the byte of the mask in a sent value does not match a generated value`() {
    #expect(Relation(body(#"{"id":"\u00ff"}"#), body(#"{"id":"550e8400-e29b-41d4-a716-446655440000"}"#)) == .different)
    #expect(Relation(body("id=%FF", form), body("id=550e8400-e29b-41d4-a716-446655440000", form)) == .different)
  }
}
