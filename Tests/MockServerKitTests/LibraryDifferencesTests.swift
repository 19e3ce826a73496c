import Cassettes
import TestSupport
import Testing

@testable import MockServerKit

@Suite struct LibraryDifferencesTests {
  @Test func `a change of a file beside the cassettes is a difference, but not of the recordings`() throws {
    let folder = try ScratchFolder()
    func cassette(_ urls: String...) -> String {
      let interactions = urls.map { #"{"request":{"method":"GET","url":"\#($0)"},"response":{"status":200}}"# }
      return "{\"cassette\":1,\"interactions\":[\n\(interactions.joined(separator: ",\n"))\n]}"
    }
    try folder.write(cassette("/a"), to: "a.json")
    try folder.write("one", to: "server.log")
    let old = try CassetteLibrary.load([folder.path])
    try folder.write("one two", to: "server.log")
    let new = try CassetteLibrary.load([folder.path])
    #expect(new.differs(from: old))
    #expect(!new.recordingsDiffer(from: old))
    try folder.write(cassette("/a", "/b"), to: "a.json")
    #expect(try CassetteLibrary.load([folder.path]).recordingsDiffer(from: new))
  }
}
