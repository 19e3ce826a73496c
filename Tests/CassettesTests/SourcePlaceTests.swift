import CassetteJSON
import CassetteSystem
import Testing

@testable import Cassettes

@Suite struct SourcePlaceTests {
  @Test(arguments: [
    "", "\n", "a", String(repeating: "wörds 🙂 in one line, ", count: 300),
    String(repeating: "of a line\nand änother\r\n\n", count: 200),
    String(repeating: "x", count: 1023) + "ö\n" + String(repeating: "y", count: 1024) + "\n",
  ])
  func `a line table finds the same places as counting from the start of the text`(text: String) {
    let bytes = Array(text.utf8)
    let table = LineTable(bytes.span)
    for offset in Set(
      [-1, 0, 1, bytes.count - 1, bytes.count, bytes.count + 9] + stride(from: 0, to: bytes.count, by: 7))
    {
      let place = table.place(of: offset, in: bytes.span, file: "a.json")
      let expected = JSONPosition.of(offset, in: bytes.span)
      #expect((place.line, place.column) == expected, "at \(offset)")
    }
  }
}
