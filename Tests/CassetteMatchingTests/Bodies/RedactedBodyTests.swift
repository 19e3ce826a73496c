import CassetteHTTP
import CassetteJSON
internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteMatching
@testable import CassetteRecording
@testable import Cassettes

/// A body that the standard redaction writes equals the sent body and no other.
struct RedactedBodyTests {
  /// The request body of an exchange, with its media type.
  private struct Sample {
    var type: String
    /// Returns the body with a value that is not a secret.
    var body: (_ plain: String) -> [UInt8]
  }

  private static let alphabets = [
    "abcdefghijklmnopqrstuvwxyz0123456789", "ABCDEFGHJKMNPQRSTVWXYZabcdef0123456789-_",
    "abc/+=%&\"\\é <>'{}:;,.0123456789",
  ]

  private static func secret(_ random: inout Seeded) -> String {
    let alphabet = Array(alphabets.randomElement(using: &random) ?? "a")
    let letters = (0..<Int.random(in: 12...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a"
    }
    return "s3" + String(letters) + "x9"
  }

  private static func json(_ text: String) -> String { String(decoding: JSONString.encode(text), as: UTF8.self) }

  private static func percent(_ text: String) -> String {
    text.utf8.map { byte in
      byte.isASCIIWord
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  /// Returns bodies of every kind that contain the secret of a header field, and other secrets under names of secrets.
  private static func samples(_ secret: String, _ random: inout Seeded) -> [Sample] {
    let other = Self.secret(&random)
    let pin = Int.random(in: 1...999_999, using: &random)
    return [
      Sample(type: "application/json") { plain in
        Array(
          #"{"note":\#(json("a \(secret) b")),"n":\#(json(plain)),"password":\#(json(other)),"pin":\#(pin),"x":[\#(json(secret))]}"#
            .utf8)
      },
      Sample(type: "application/json") { plain in
        let inner = #"{"access_token":\#(json(other)),"n":\#(json(plain))}"#
        return Array(
          #"{"arguments":\#(json(inner)),"url":\#(json("https://a.example/?token=\(percent(other))&n=1"))}"#.utf8)
      },
      Sample(type: "application/json") { plain in
        Array(
          #"{"auth":\#(json("Basic " + base64("kean:\(secret)"))),"n":\#(json(plain)),"b":\#(json(base64("[\(secret)] \(plain)")))}"#
            .utf8)
      },
      Sample(type: "application/json") { plain in
        let query = "mutation { login(name: \(json(plain)), password: \(json(secret))) { id } }"
        return Array(#"{"query":\#(json(query)),"variables":{"token":\#(json(other)),"n":1}}"#.utf8)
      },
      Sample(type: "application/x-www-form-urlencoded") { plain in
        Array(
          "n=\(percent(plain))&password=\(percent(other))&note=\(percent("a \(secret) b"))&client_secret=\(percent(secret))"
            .utf8)
      },
      Sample(type: "multipart/form-data; boundary=xyz") { plain in
        let part = { (name: String, content: String) in
          "--xyz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)\r\n"
        }
        return Array(
          (part("n", plain) + part("password", other) + part("j", "{\"a\":\(json(secret))}") + "--xyz--\r\n").utf8)
      },
      Sample(type: "text/xml") { plain in
        let text = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
          .replacing("\"", with: "&quot;")
        return Array("<e><t>\(text)</t><n>\(plain)</n></e>\n".utf8)
      },
      Sample(type: "application/x-ndjson") { plain in
        Array("{\"n\":\(json(plain))}\n{\"token\":\(json(other))}\n{\"a\":\(json(secret))}\n".utf8)
      },
    ]
  }

  @Test(arguments: 0..<40)
  func `a redacted body equals the sent body and differs from a body with another value`(seed: Int) throws {
    var random = Seeded(UInt64(seed))
    let secret = Self.secret(&random)
    for sample in Self.samples(secret, &random) {
      let sent = sample.body("plain words")
      let interaction = Interaction(
        method: .post, url: "/a", requestHeaders: ["Authorization": "Bearer \(secret)", "Content-Type": sample.type],
        requestBody: .storing(sent), outcome: .response(RecordedResponse(status: 200)))
      let redacted = try #require(try CassetteRedaction.standard.redacting([interaction]).first)
      let bytes = try #require(try redacted.requestBody?.bytes())
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(bytes != sent, "\(text)")
      let recorded = NormalBody(bytes, contentType: sample.type)
      #expect(recorded.hasPlaceholders, "\(text)")
      let differences = recorded.differences(from: NormalBody(sent, contentType: sample.type))
      #expect(differences.isEmpty, "\(text)\n\(String(decoding: sent, as: UTF8.self))\n\(differences)")
      let other = NormalBody(sample.body("other words"), contentType: sample.type)
      #expect(!recorded.differences(from: other).isEmpty, "\(text)")
    }
  }

  @Test func `a redacted number that is a secret in a header field equals the sent number`() throws {
    let sent = Array(#"{"account":12345678901234567,"n":0}"#.utf8)
    let interaction = Interaction(
      method: .post, url: "/a", requestHeaders: ["X-Api-Key": "12345678901234567"], requestBody: .storing(sent),
      outcome: .response(RecordedResponse(status: 200)))
    let redacted = try #require(try CassetteRedaction.standard.redacting([interaction]).first)
    let recorded = NormalBody(try #require(try redacted.requestBody?.bytes()), contentType: nil)
    #expect(recorded.hasPlaceholders)
    #expect(recorded.differences(from: NormalBody(sent, contentType: nil)).isEmpty)
    #expect(!recorded.differences(from: body(#"{"account":12345678901234567,"n":1}"#)).isEmpty)
  }
}

extension UInt8 {
  fileprivate var isASCIIWord: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5a).contains(self) || (0x61...0x7a).contains(self)
  }
}
