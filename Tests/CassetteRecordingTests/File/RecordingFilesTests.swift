import CassetteHTTP
internal import CassetteSecrets
import TestSupport
import Testing

@testable import CassetteRecording
@testable import Cassettes
@testable import MockServerUpstream

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite struct RecordingFilesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  @Test func `symbolic links to a file and to its folder lead to one recorder`() throws {
    try folder.makeFolder("in")
    try folder.write(cassette(response: #"{"status":200}"#), to: "in/a.json")
    try folder.link("soft.json", to: "in/a.json")
    try folder.link("other", to: "in")
    let file = try RecordingFiles.file(at: folder.path("in/a.json"))
    for name in ["soft.json", "other/a.json", "in/../in/./a.json"] {
      #expect(try RecordingFiles.file(at: folder.path(name)) === file, "\(name)")
    }
    let recording = Recording(into: file.cassette)
    let token = recording.begin(.init(target: try #require(.init("/new"))))
    recording.finish(token, RecordedResponse(status: 204))
    _ = try file.save(file.begin(recording))
    for name in ["soft.json", "other/a.json"] {
      #expect(folder.bytes(name) == folder.bytes("in/a.json"), "\(name)")
    }
    #expect(try CassetteFile.read(path: folder.path("soft.json")).interactions.count == 2)
  }

  @Test func `recorders and journals follow a symbolic link to a missing file`() throws {
    try folder.makeFolder("in")
    try folder.link("middle.json", to: "in/a.json")
    try folder.link("soft.json", to: "middle.json")
    let file = try RecordingFiles.file(at: folder.path("soft.json"))
    #expect(try RecordingFiles.file(at: folder.path("in/a.json")) === file)
    let journal = try RecordingJournal(beside: folder.path("soft.json"), redaction: .standard)
    #expect(folder.files == ["in/a.json.journal"])
    #expect(throws: CassetteError.self) {
      try RecordingJournal(beside: folder.path("in/a.json"), redaction: .standard)
    }
    journal.remove()
    let recording = Recording(into: file.cassette)
    recording.finish(
      recording.begin(.init(target: try #require(.init("/new")))), RecordedResponse(status: 204))
    _ = try file.save(file.begin(recording))
    #expect(folder.files == ["in/a.json", "middle.json", "soft.json"])
    #expect(Folder.kind(of: folder.path("soft.json")) == .link)
  }

  @Test func `a second journal through a hard link to a recorded file is refused`() throws {
    try folder.write(cassette(response: #"{"status":200}"#), to: "a.json")
    try #require(link(folder.path("a.json"), folder.path("b.json")) == 0)
    let journal = try RecordingJournal(beside: folder.path("a.json"), redaction: .standard)
    let error = #expect(throws: CassetteError.self) {
      try RecordingJournal(beside: folder.path("b.json"), redaction: .standard)
    }
    #expect(error?.message.contains("another process records into this cassette") == true)
    journal.remove()
    try RecordingJournal(beside: folder.path("b.json"), redaction: .standard).remove()
    #expect(folder.files == ["a.json", "b.json"])
  }
}
