internal import CassetteSystem

/// A text that was in base64 as a journal of a recording has it: as it says, and with the way in which it was written, which
/// cannot always be told from another text.
package enum JournaledBase64 {
  /// The number by which it is told from aliases of secrets.
  package static let number = 1_000_000_000_000
  private static let mark = Array("{{secret:\(number):".utf8)

  /// Writes a text: `{{secret:1000000000000:b,url;BASE64}}`; one that was in no base64 if there is no manner.
  package static func text(_ content: [UInt8], _ manner: RedactionBase64.Manner?) -> [UInt8] {
    mark + (manner.map { "b,\($0.notation);" } ?? ";").utf8 + BodyBase64.encode(content) + "}}".utf8
  }

  /// Calls back with each such text.
  package static func each(
    in bytes: [UInt8], _ use: (_ range: Range<Int>, _ manner: RedactionBase64.Manner?, _ content: [UInt8]) -> Void
  ) {
    var from = 0
    while let start = bytes.firstIndex(of: mark, from: from) {
      from = start + mark.count
      guard let end = bytes.firstIndex(of: [0x7d, 0x7d], from: from),
        let middle = bytes[from..<end].firstIndex(of: UInt8(ascii: ";")),
        let content = RedactionBase64.decode(bytes[(middle + 1)..<end])
      else { continue }
      let manner = middle == from ? nil : RedactionBase64.Manner(notation: bytes[from..<middle])
      from = end + 2
      use(start..<from, manner, content)
    }
  }
}
