import Cassettes
import Foundation
import TestSupport
import Testing

@testable import CassetteMaintenance
@testable import MockServerConsole

struct ListTests {
  @Test func `recordings and fixtures are listed with secrets masked`() throws {
    let folder = try ScratchFolder()
    try folder.write(cassetteWithSecret, to: "example.json")
    try folder.makeFolder("fixtures")
    try folder.write("{}", to: "fixtures/status.POST.201.json")
    let items = List.items(of: try CassetteLibrary.load([folder.path]))
    #expect(
      List.table(items).text(width: nil, style: .plain) == """
        METHOD  PATH                                 STATUS    SIZE  CASSETTE  ID
        GET     /users/kean                          200       16 B  example   get-users-kean
        GET     /search?q=a&access_token={{secret}}  204        0 B  example   get-search
        POST    /slow                                timedOut     -  example   post-slow
        POST    /status                              201        2 B  fixtures  status.POST.201.json

        """)
  }

  @Test func `control characters in a table's cells are escaped`() {
    let item = List.Item(
      method: "GET", url: "/", status: 200, failure: nil, size: 0, cassette: "c\n", id: "\u{1b}[2J")
    #expect(List.table([item]).rows == [["GET", "/", "200", "0 B", "c\\u{a}", "\\u{1b}[2J"]])
  }

  @Test func `a list as JSON is an array with one object per line`() throws {
    let items = [
      List.Item(method: "GET", url: "/a\"b", status: 200, failure: nil, size: 12, cassette: "c", id: "get-a"),
      List.Item(method: "GET", url: "/", status: nil, failure: "timedOut", size: nil, cassette: "c", id: "get"),
    ]
    let text = List.json(items)
    #expect(
      text == #"""
        [
        {"method":"GET","path":"/a\"b","status":200,"size":12,"cassette":"c","id":"get-a"},
        {"method":"GET","path":"/","failure":"timedOut","cassette":"c","id":"get"}
        ]

        """#)
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect(parsed?.count == 2)
    #expect(List.json([]) == "[]\n")
  }
}
