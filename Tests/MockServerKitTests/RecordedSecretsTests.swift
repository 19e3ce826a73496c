import CCassetteZlib
import CassetteFormats
import CassetteHTTP
import CassetteJSON
import CassetteSystem
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// Secrets in every place of an exchange, recorded live, and everything that is written then: none is there.
struct RecordedSecretsTests {
  @Test func `what is looked for would be found`() {
    let secret = "q8ZxAbCdE/3Lm9+Rt5Vw=2K"
    for spelling in Spelling.allCases {
      let text = Data(("a\"" + spelling.spell(secret) + "\"b").utf8)
      let isFound = Self.readings(text).contains { reading in
        Self.needles(secret).contains { reading.range(of: $0) != nil }
      }
      #expect(isFound, "\(spelling)")
    }
  }

  @Test(arguments: named, [false, true])
  func `a secret that its place names is nowhere`(place: Place, isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 1)
    try session.play(place.make(session.secret()), naming: nil)
    // What one exchange names is a secret in the next.
    try session.play(Exchange(line: "GET /later/\(session.secrets[0].replacing("/", with: "%2F"))"), naming: nil)
    expectNone(of: session.secrets, in: session.files(), "while it records")
    expectNone(of: session.secrets, in: try shown(session), "while it records")
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }

  @Test(arguments: bare, [false, true])
  func `a secret that another place names is nowhere, however it is written`(place: Place, isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 2)
    for spelling in place.encodings where !(place.isURL && spelling.hasBackslash) {
      let secret = session.secret()
      try session.play(place.make(spelling.spell(secret)), naming: secret)
      expectNone(of: [secret], in: session.files(), "while it records \(spelling)")
    }
    expectNone(of: session.secrets, in: try shown(session), "while it records")
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }

  @Test(arguments: [false, true])
  func `a secret in a long body is nowhere, also where its parts meet`(isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 3)
    let secret = session.secret()
    var body = [UInt8](repeating: UInt8(ascii: "."), count: 5 << 20)
    func plant(_ text: String, at offset: Int) {
      body.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    for (index, spelling) in Spelling.allCases.enumerated() {
      plant(" \(spelling.spell(secret)) ", at: 1_000 + index * 1_000)
      // Wherever windows of whole kilobytes end.
      plant(" \(spelling.spell(secret)) ", at: (index + 1) * (256 << 10) - 12)
      plant(" \(spelling.spell(secret)) ", at: (4 << 20) + (index + 1) * (64 << 10) - 12)
    }
    plant(" \(secret)", at: body.count - secret.utf8.count - 1)
    try session.play(Exchange(answer: Self.answer("Content-Type: text/plain\r\n", body)), naming: secret)
    let files = session.files()
    #expect(files.keys.contains { $0.hasPrefix(".a.json.journal/") }, "\(files.keys)")
    expectNone(of: session.secrets, in: files, "while it records")
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }

  @Test(arguments: bare)
  func `a secret that only a later exchange names is not in the cassette`(place: Place) throws {
    let session = try Session(isProxy: false, seed: 4)
    for spelling in place.encodings where !(place.isURL && spelling.hasBackslash) {
      try session.play(place.make(spelling.spell(session.secret())), naming: nil)
    }
    for secret in session.secrets { try session.play(Exchange(line: "GET /login"), naming: secret) }
    expectNone(of: session.secrets, in: try shown(session).filter { $0.key != "the log" }, "while it records")
    // The log has said what it has said.
    expectNone(of: session.secrets, in: try written(session).filter { $0.key != "the log at the end" }, "in the end")
  }

  @Test func `a long body is redacted again when a later exchange names its secret`() throws {
    let session = try Session(isProxy: false, seed: 5)
    let secret = session.secret()
    let body = Array("<\(secret)>".utf8) + [UInt8](repeating: UInt8(ascii: "."), count: 5 << 20)
    try session.play(Exchange(answer: Self.answer("Content-Type: text/plain\r\n", body)), naming: nil)
    try session.play(Exchange(line: "GET /login"), naming: secret)
    expectNone(of: session.secrets, in: try written(session), "in the end")
  }
}
