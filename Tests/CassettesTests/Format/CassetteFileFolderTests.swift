import CassetteHTTP
import Cassettes
import Foundation
import TestSupport
import Testing

@Suite struct CassetteFileFolderTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func problems(_ path: String) throws -> [CassetteError] {
    CassetteFile.problems(bytes: try CassetteFile.bytes(of: path), name: CassetteFile.name(ofFile: path), file: path)
  }

  @Test func `a cassette is written to a file and read`() throws {
    let path = folder.path("github.json")
    try CassetteFile.write(try read(documentedCassette), to: path)
    #expect(folder.bytes("github.json") == Array(documentedCassette.utf8))
    #expect(folder.files == ["github.json"])
    let cassette = try CassetteFile.read(path: path)
    #expect(cassette.name == "github")
    #expect(cassette.file == path)
    #expect(cassette.interactions.first?.place?.description == "\(path):5:5")
    #expect(try problems(path).isEmpty)
  }

  @Test func `long bodies are written to files, and stay in files`() throws {
    let text = Array(String(repeating: "some text\n", count: 7000).utf8)
    let binary = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
    let json = Array("[\(Array(repeating: "1", count: 50000).joined(separator: ","))]".utf8)
    var upload = Interaction.answering(.storing(json))
    upload.requestBody = .storing(binary)
    let bodies: [(HTTPHeaders, [UInt8])] = [
      (["Content-Type": "text/html; charset=utf-8"], text), (["content-type": "image/png"], binary), ([:], binary),
      ([:], Array(text.prefix(65536))),
    ]
    let cassette = Cassette(
      name: "x", interactions: bodies.map { .answering(.storing($0.1), headers: $0.0) } + [upload])
    let path = folder.path("my tape.json")
    try CassetteFile.write(cassette, to: path)
    let files = [
      "bodies/my-tape/get-2.png", "bodies/my-tape/get-3.bin", "bodies/my-tape/get-5.request.bin",
      "bodies/my-tape/get.html",
    ]
    #expect(folder.files == ["bodies/.gitattributes"] + files + ["my tape.json"])
    let read = try CassetteFile.read(path: path)
    #expect(try read.interactions.map { try $0.response?.body?.bytes() } == bodies.map(\.1) + [json])
    #expect(try read.interactions.last?.requestBody?.bytes() == binary)
    #expect(read.interactions.first?.response?.body?.form == .file("bodies/my-tape/get.html"))
    let before = folder.bytes("my tape.json")
    try CassetteFile.write(read, to: path)
    #expect(folder.bytes("my tape.json") == before)
    #expect(folder.files == ["bodies/.gitattributes"] + files + ["my tape.json"])
    // Writing to another folder copies the body files.
    try folder.makeFolder("copy")
    try CassetteFile.write(read, to: folder.path("copy/other.json"))
    #expect(
      try CassetteFile.read(path: folder.path("copy/other.json")).interactions[1].response?.body?.bytes() == binary)
  }

  @Test func `a missing body file is an error with its place`() throws {
    try folder.write(cassette(response: #"{"status":200,"body":{"file":"bodies/none.png"}}"#), to: "a.json")
    let error = #expect(throws: CassetteError.self) { try CassetteFile.read(path: folder.path("a.json")) }
    #expect(error?.line == 3)
    #expect(error?.column == 41)
    try folder.makeFolder("bodies/none.png")
    #expect(try problems(folder.path("a.json")).first?.message == "none.png is not a file")
  }

  @Test(arguments: ["link.txt", "links/secret.txt"])
  func `a body file behind a symbolic link is an error`(_ file: String) throws {
    try folder.makeFolder("outside")
    try folder.makeFolder("inside")
    try folder.write("secret", to: "outside/secret.txt")
    try folder.link("inside/link.txt", to: "../outside/secret.txt")
    try folder.link("inside/links", to: "../outside")
    try folder.write(cassette(response: #"{"status":200,"body":{"file":"\#(file)"}}"#), to: "inside/a.json")
    let problem = try #require(problems(folder.path("inside/a.json")).first)
    #expect(problem.message.contains("is a symbolic link, which is not followed"))
  }

  @Test func `body files are not written through a symbolic link`() throws {
    try folder.makeFolder("outside")
    try folder.makeFolder("inside")
    try folder.link("inside/bodies", to: "../outside")
    let cassette = Cassette(name: "x", interactions: [.answering(.storing([UInt8](repeating: 0, count: 5000)))])
    #expect(throws: CassetteError.self) { try CassetteFile.write(cassette, to: folder.path("inside/a.json")) }
    #expect(folder.files.allSatisfy { !$0.hasPrefix("outside/") && !$0.hasSuffix(".json") })
  }

  @Test func `a cassette that is a symbolic link is written through the link`() throws {
    try folder.write("{\"cassette\": 1}", to: "real.json")
    try folder.link("link.json", to: "real.json")
    try CassetteFile.write(try read(documentedCassette), to: folder.path("link.json"))
    #expect(folder.bytes("real.json") == Array(documentedCassette.utf8))
    #expect(folder.files == ["link.json", "real.json"])
  }

  @Test func `a missing cassette and a folder are errors that name the path`() throws {
    let error = #expect(throws: CassetteError.self) { try CassetteFile.read(path: folder.path("none.json")) }
    #expect(
      error?.description
        == "\(folder.path("none.json")): cannot read \(folder.path("none.json")): No such file or directory")
    let folderError = #expect(throws: CassetteError.self) { try CassetteFile.read(path: folder.path) }
    #expect(folderError?.message == "\(folder.path) is a folder")
    #expect(throws: CassetteError.self) { try CassetteFile.write(Cassette(name: "a"), to: folder.path("none/a.json")) }
  }

  @Test func `a named pipe is an error, and is not waited for`() throws {
    #expect(mkfifo(folder.path("pipe.json"), 0o600) == 0)
    let error = #expect(throws: CassetteError.self) { try CassetteFile.read(path: folder.path("pipe.json")) }
    #expect(error?.message == "\(folder.path("pipe.json")) is not a regular file")
  }

  @Test(arguments: ["/dev/zero", "/dev/urandom", "/dev/full", "/dev/tty"])
  func `a device file is an error, by its own name and by a symbolic link`(device: String) throws {
    try folder.link("device.json", to: device)
    for path in [device, folder.path("device.json")] {
      let error = #expect(throws: CassetteError.self) { try CassetteFile.read(path: path) }
      #expect(error.map { $0.message.contains("not a regular file") || device == "/dev/tty" } == true, "\(path)")
    }
  }

  @Test func `a file beyond the size limit is refused before it is read`() throws {
    try folder.write("", to: "long.json")
    #expect(truncate(folder.path("long.json"), 1 << 40) == 0)
    let error = #expect(throws: CassetteError.self) { try CassetteFile.read(path: folder.path("long.json")) }
    #expect(error?.message == "\(folder.path("long.json")) is larger than 1024 MB")
    let limited = #expect(throws: FileFailure.self) {
      try CassetteFileBytes.read(path: folder.path("long.json"), mostBytes: 5 << 20)
    }
    #expect(limited?.message.hasSuffix(" is larger than 5 MB") == true && limited?.isUnsuitable == true)
  }

  @Test func `a pipe of the shell is read to its end or to the size limit`() throws {
    let pipe = Pipe()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    try pipe.fileHandleForWriting.write(contentsOf: Data(#"{"cassette": 1}"#.utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try CassetteFileBytes.read(path: path) == Array(#"{"cassette": 1}"#.utf8))

    let endless = Pipe()
    // The pipe is filled to its capacity; the reader refuses it without waiting for its end.
    try endless.fileHandleForWriting.write(contentsOf: Data(count: 32 << 10))
    let error = #expect(throws: FileFailure.self) {
      try CassetteFileBytes.read(path: "/dev/fd/\(endless.fileHandleForReading.fileDescriptor)", mostBytes: 1 << 10)
    }
    #expect(error?.message.hasSuffix(" is larger than 0 MB") == true)
    try endless.fileHandleForWriting.close()
  }

  @Test(arguments: [[0xff, 0xfe, 0x7b, 0x00], [0xfe, 0xff, 0x00, 0x7b]] as [[UInt8]])
  func `a UTF-16 file is an error that suggests UTF-8`(bytes: [UInt8]) throws {
    let error = #expect(throws: CassetteError.self) { try CassetteFile.read(bytes: bytes, name: "a", file: nil) }
    #expect(error?.description.hasPrefix("a.json:1:1: is UTF-16") == true && error?.suggestion == "save it as UTF-8")
  }

  @Test func `a body file of a cassette without a folder is an error`() throws {
    let cassette = try read(cassette(response: #"{"status":200,"body":{"file":"Package.swift"}}"#))
    let error = #expect(throws: CassetteError.self) { try cassette.interactions.first?.response?.body?.bytes() }
    #expect(error?.message == "Package.swift cannot be found, because the cassette was not read from a folder")
  }
}
