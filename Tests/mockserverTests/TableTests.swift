import Testing

@testable import MockServerConsole
@testable import mockserver

struct TableTests {
  private var table: Table {
    var table = Table(columns: [
      Table.Column("METHOD"), Table.Column("PATH", gives: true), Table.Column("SIZE", isNumber: true),
    ])
    table.rows = [["GET", "/a", "1 B"], ["DELETE", "/a/rather/long/path/to/a/thing", "1023 B"]]
    return table
  }

  @Test func `columns are as wide as their content, and numbers are aligned right`() {
    #expect(
      table.text(width: nil, style: .plain) == """
        METHOD  PATH                              SIZE
        GET     /a                                 1 B
        DELETE  /a/rather/long/path/to/a/thing  1023 B

        """)
  }

  @Test func `a flexible column is shortened in the middle to fit the terminal`() {
    #expect(
      table.text(width: 36, style: .plain) == """
        METHOD  PATH                    SIZE
        GET     /a                       1 B
        DELETE  /a/rather…to/a/thing  1023 B

        """)
  }

  @Test func `a very narrow terminal shortens the flexible column to its minimum width`() {
    let lines = table.text(width: 5, style: .plain).split(separator: "\n")
    #expect(lines.last == "DELETE  /a/rath…/a/thing  1023 B")
  }

  @Test func `an empty table consists of its titles`() {
    #expect(Table(columns: [Table.Column("A"), Table.Column("B")]).text(width: 80, style: .plain) == "A  B\n")
  }
}
