import CassetteHTTP
import CassetteSystem
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit

/// Text that the user copies from the inspector and pastes into a shell or a source file.
@Suite struct CopiedTextTests {
  /// Text that could run a program, expand in a shell, or be parsed as an option.
  private static let hostile = [
    "X`touch$IFS$9pwned`", "$(touch pwned)", "'; touch pwned; '", "a'b\"c\\d", "@/etc/passwd", "-o", "--config",
    "[1-3]",
    "{a,b}", "*", "~", "!!", "a;", "#", "%s%n", "\u{202e}gnp.exe", "\t", "\u{1b}[201~", "\r", "a&b|c<d>e", "é\u{301}",
    "'\u{301}",
  ]

  private func words(of text: String) throws -> [UInt8] {
    let folder = try ScratchFolder()
    let result = try ChildProcess.run("/bin/sh", ["-c", "printf '%s' \(text)"], folder: folder.path)
    #expect(folder.files.isEmpty, "\(text) made a file")
    return Array(result.output.utf8)
  }

  @Test(arguments: hostile + ["", "a\nb\n", String(repeating: "'", count: 300)])
  func `a shell parses quoted text as one word with the same bytes`(text: String) throws {
    let quoted = ShellWord.quoted(text)
    #expect(try words(of: quoted) == Array(text.utf8))
    // When pasted into a terminal, no character is interpreted as a control character.
    #expect(!quoted.unicodeScalars.contains { $0.isObeyed && $0 != "\n" })
  }

  @Test(arguments: ["-x", "--x/a b.json", "-", "--", "-'$(touch a)'"])
  func `a path that begins with a dash is not parsed as an option`(path: String) throws {
    #expect(try words(of: ShellWord.path(path)) == Array("./\(path)".utf8))
    #expect(ShellWord.path("a/-x") == "a/-x")
  }

  @Test func `a NUL is removed from a quoted word`() throws {
    #expect(ShellWord.quoted("a\0b") == "'ab'")
  }

  /// Sends the bytes of a request and returns its answer.
  private func send(_ served: Served, _ bytes: [UInt8]) throws -> String {
    let client = try served.client()
    client.send(bytes)
    return try client.answer().text
  }

  @Test(arguments: [
    ("X`touch$IFS$9pwned`", "/a"), ("GET", "/a'$(touch$IFS`pwned`)"), ("GET", "/a/[1-3]/{a,b}?q=[a-z]"),
    ("GET", "/a/../b/./c"), ("-o", "/pwned"), ("GET", "/;touch${IFS}pwned;"), ("POST", "/a?x='\"\\`$HOME`"),
    ("GET'|touch$IFS'pwned", "/"), ("OPTIONS", "*"), ("DELETE", "/a%23b"),
  ])
  func `a copied curl command sends the same request, and runs no other command`(method: String, target: String) throws
  {
    let served = try Served(.platform, [Served.recording("GET /never", "a")])
    let fields = [
      "X-At: @/etc/passwd", "X-Quote: a'b\"c`touch pwned`$(touch pwned)", "X-Empty:", "X-Semicolon: a;", "-H: --config",
      "X-Glob: [1-3]{a,b}", "X-Last: \\",
    ]
    let body = method == "GET" ? "" : "@/etc/passwd\n$(touch pwned)'`touch pwned`\n{\"a\": [1-3]}\u{1b}[201~"
    let head =
      (["\(method) \(target) HTTP/1.1", "Host: \(served.url.dropFirst(7))", "Content-Type: text/plain"] + fields)
    let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
    _ = try send(served, Array((head.joined(separator: "\r\n") + "\r\n\(length)\r\n\(body)").utf8))
    let copied = try served.ask("GET /__mock/journal/1?as=curl")
    #expect(copied.status == 200 && copied.headers["Content-Type"] == "text/plain; charset=utf-8", "\(copied.text)")

    let folder = try ScratchFolder()
    _ = try ChildProcess.run("/bin/sh", ["-c", copied.text + " -s -m 5"], folder: folder.path)
    #expect(folder.files.isEmpty, "\(copied.text)")
    let (first, second) = (try served.told("GET journal/1"), try served.told("GET journal/2"))
    #expect(try served.steer("GET journal/3").status == 404)
    for name in ["method", "url", "body"] { #expect(first[name] as? String == second[name] as? String, "\(name)") }
    let wanted = try #require(first["headers"] as? [[String]]).filter { $0[0] != "Host" && $0[0] != "Content-Length" }
    let found = try #require(second["headers"] as? [[String]])
    for field in wanted { #expect(found.contains(field), "\(field)") }
  }

  @Test func `a binary body is piped into the copied curl command byte for byte`() throws {
    let served = try Served(.platform, [Served.recording("GET /never", "a")])
    let body: [UInt8] = [0, 0xff, 0x27, 0x0a, 0x00, 0x40]
    _ = try send(served, Array("PUT /b HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n".utf8) + body)
    let copied = try served.ask("GET /__mock/journal/1?as=curl").text
    #expect(
      copied.hasPrefix("printf '%s' AP8nCgBA | base64 -d | curl -X PUT ") && copied.hasSuffix(" --data-binary @-"))
  }

  @Test func `a journal entry has the forms curl and stub, and an unknown form or entry is refused`() throws {
    let served = try Served(.platform, [Served.recording("GET /a", "a")])
    _ = try served.ask("GET /a")
    #expect(try served.steer("GET journal/1?as=shell").status == 400)
    #expect(try served.steer("GET journal/9?as=curl").status == 404)
    #expect(
      try served.ask("GET /__mock/journal/1?as=stub").text == ".stub(.get(#\"/a\"#), .text(#\"a\"#, status: 200))")
  }

  private static let isCompilerThere = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }

  /// Literals of hostile strings are compiled and compared with the original strings.
  @Test(.enabled(if: isCompilerThere))
  func `a copied stub compiles to the original text, and runs no code`() throws {
    let texts =
      Self.hostile + [
        "\\(fatalError())", "\\#(fatalError())", "\\##(fatalError())\"#", "\"#; fatalError(); #\"", "\"\"\"\n\"\"\"#\n",
        "a\nb", "\n", "\"", "\\", "\\\n", "#", "\"##\"", "a\r\nb", "\u{2028}x", "\u{2067}if\u{2069}", "\u{7f}\u{9b}\0",
        "\"\"\"#",
        "// \\#n", "\\n", "é", "e\u{301}", "\"\u{301}#", "\"#\u{301}", "\u{feff}a", "👩‍👩‍👧",
      ]
    let lines = texts.map { text in
      "  (\(SwiftLiteral.quoted(text)), [\(text.unicodeScalars.map { String($0.value) }.joined(separator: ", "))]),"
    }
    let source =
      "let all: [(String, [UInt32])] = [\n\(lines.joined(separator: "\n"))\n]\n"
      + "for (index, (text, scalars)) in all.enumerated() where text.unicodeScalars.map(\\.value) != scalars { print(index) }\n"
      + "print(\"done\")\n"
    #expect(!source.unicodeScalars.contains { $0.isObeyed && $0 != "\n" })
    let folder = try ScratchFolder()
    try folder.write(source, to: "main.swift")
    let compiled = try ChildProcess.run(
      "/usr/bin/env", ["swiftc", "-swift-version", "6", "-Onone", "main.swift", "-o", "program"], folder: folder.path)
    #expect(compiled.status == 0, "\(compiled.error)")
    #expect(try ChildProcess.run(folder.path("program"), []).output == "done\n")
  }
}
