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

/// Exchanges with a secret in each place are recorded, and no output contains the secret.
struct RecordedSecretsTests {
  @Test func `the search of these tests finds a secret in every encoding`() {
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
  func `a secret in a named place is in no file, journal, log or export`(place: Place, isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 1)
    try session.play(place.make(session.secret()), naming: nil)
    // A value that one exchange identifies as a secret is redacted in the next exchange, too.
    try session.play(Exchange(line: "GET /later/\(session.secrets[0].replacing("/", with: "%2F"))"), naming: nil)
    expectNone(of: session.secrets, in: session.files(), "during the recording")
    expectNone(of: session.secrets, in: try shown(session), "during the recording")
    expectNone(of: session.secrets, in: try written(session), "after the recording")
  }

  @Test(arguments: bare, [false, true])
  func `a secret that another field names is in no output, in every encoding`(place: Place, isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 2)
    for spelling in place.encodings where !(place.isURL && spelling.hasBackslash) {
      let secret = session.secret()
      try session.play(place.make(spelling.spell(secret)), naming: secret)
      expectNone(of: [secret], in: session.files(), "during the recording, as \(spelling)")
    }
    expectNone(of: session.secrets, in: try shown(session), "during the recording")
    expectNone(of: session.secrets, in: try written(session), "after the recording")
  }

  @Test(arguments: [false, true])
  func `a secret in a long body is in no output, also at the boundaries of scan windows`(isProxy: Bool) throws {
    let session = try Session(isProxy: isProxy, seed: 3)
    let secret = session.secret()
    var body = [UInt8](repeating: UInt8(ascii: "."), count: 5 << 20)
    func plant(_ text: String, at offset: Int) {
      body.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
    }
    for (index, spelling) in Spelling.allCases.enumerated() {
      plant(" \(spelling.spell(secret)) ", at: 1_000 + index * 1_000)
      // Scan windows end at whole kilobytes.
      plant(" \(spelling.spell(secret)) ", at: (index + 1) * (256 << 10) - 12)
      plant(" \(spelling.spell(secret)) ", at: (4 << 20) + (index + 1) * (64 << 10) - 12)
    }
    plant(" \(secret)", at: body.count - secret.utf8.count - 1)
    try session.play(Exchange(answer: Self.answer("Content-Type: text/plain\r\n", body)), naming: secret)
    let files = session.files()
    #expect(files.keys.contains { $0.hasPrefix(".a.json.journal/") }, "\(files.keys)")
    expectNone(of: session.secrets, in: files, "during the recording")
    expectNone(of: session.secrets, in: try written(session), "after the recording")
  }

  @Test(arguments: bare)
  func `a secret that only a later exchange names is not in the cassette`(place: Place) throws {
    let session = try Session(isProxy: false, seed: 4)
    for spelling in place.encodings where !(place.isURL && spelling.hasBackslash) {
      try session.play(place.make(spelling.spell(session.secret())), naming: nil)
    }
    for secret in session.secrets { try session.play(Exchange(line: "GET /login"), naming: secret) }
    expectNone(of: session.secrets, in: try shown(session).filter { $0.key != "the log" }, "during the recording")
    // Lines that were logged before the secret was known cannot be masked.
    expectNone(
      of: session.secrets, in: try written(session).filter { $0.key != "the log at the end" }, "after the recording")
  }

  @Test func `a long body is redacted again when a later exchange names its secret`() throws {
    let session = try Session(isProxy: false, seed: 5)
    let secret = session.secret()
    let body = Array("<\(secret)>".utf8) + [UInt8](repeating: UInt8(ascii: "."), count: 5 << 20)
    try session.play(Exchange(answer: Self.answer("Content-Type: text/plain\r\n", body)), naming: nil)
    try session.play(Exchange(line: "GET /login"), naming: secret)
    expectNone(of: session.secrets, in: try written(session), "after the recording")
  }
}
