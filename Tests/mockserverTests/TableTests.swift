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

  @Test func `columns are as wide as their content, and numbers stand flush right`() {
    #expect(
      table.text(width: nil, style: .plain) == """
        METHOD  PATH                              SIZE
        GET     /a                                 1 B
        DELETE  /a/rather/long/path/to/a/thing  1023 B

        """)
  }

  @Test func `the column that gives is cut in the middle where the terminal is narrow`() {
    #expect(
      table.text(width: 36, style: .plain) == """
        METHOD  PATH                    SIZE
        GET     /a                       1 B
        DELETE  /a/rather…to/a/thing  1023 B

        """)
  }

  @Test func `a terminal too narrow for anything does not cut to nothing`() {
    let lines = table.text(width: 5, style: .plain).split(separator: "\n")
    #expect(lines.last == "DELETE  /a/rath…/a/thing  1023 B")
  }

  @Test func `an empty table is its titles`() {
    #expect(Table(columns: [Table.Column("A"), Table.Column("B")]).text(width: 80, style: .plain) == "A  B\n")
  }
}
