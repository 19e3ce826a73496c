import CassetteHTTP
internal import CassetteSecrets
import Foundation
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes
@testable import MockServerUpstream

/// The lock of a journal is released by its owner, even if child processes have inherited the descriptor.
struct JournalLockTests {
  private let exchange = Interaction(
    method: .get, url: "https://a.test/1", outcome: .response(RecordedResponse(status: 200, body: .storing([0x61]))))

  private func committed(beside cassette: String) throws -> RecordingJournal {
    var journal = try RecordingJournal(beside: cassette, redaction: .standard)
    try journal.append(exchange, number: 0)
    try journal.commit()
    return journal
  }

  @Test func `a closed journal is recovered although a child process has a copy of its descriptor`() throws {
    let folder = try ScratchFolder()
    let cassette = folder.path("a.json")
    let journal = try committed(beside: cassette)
    let copy = try #require(DescriptorCopy(ofFile: journal.path))
    #expect(try RecordingJournal.recover(beside: cassette) == nil)
    journal.close()
    let recovery = try withExtendedLifetime(copy) { try RecordingJournal.recover(beside: cassette) }
    #expect(recovery?.exchanges == 1)
  }

  @Test func `a removed journal is not locked although a child process has a copy of its descriptor`() throws {
    let folder = try ScratchFolder()
    let cassette = folder.path("a.json")
    let journal = try committed(beside: cassette)
    let other = folder.path("b.json.journal")
    try FileManager.default.linkItem(atPath: journal.path, toPath: other)
    let copy = try #require(DescriptorCopy(ofFile: journal.path))
    journal.remove()
    let recovery = try withExtendedLifetime(copy) { try RecordingJournal.recover(beside: folder.path("b.json")) }
    #expect(recovery?.exchanges == 1)
  }
}
