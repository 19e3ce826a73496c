import Cassettes
import HTTP

/// What VCR and betamax write in place of what is to be hidden: `<AUTH_TOKEN>`, `<<ACCESS_TOKEN>>`.
enum Placeholders {
  /// A redaction that leaves the placeholders of recordings as they are: they are no secrets, and people know them.
  static func kept(of source: ImportSource, _ redaction: Redaction) throws(CassetteError) -> Redaction {
    guard source.format == .vcr else { return redaction }
    var found: Set<String> = []
    _ = try source.each { (interaction, _) throws(CassetteError) in
      collect(Array(interaction.url.utf8), &found)
      for field in interaction.requestHeaders { collect(Array(field.value.utf8), &found) }
      for field in interaction.response?.headers ?? [] { collect(Array(field.value.utf8), &found) }
      collect(try interaction.requestBody?.bytes() ?? [], &found)
      collect(try interaction.response?.body?.bytes() ?? [], &found)
    }
    return found.sorted().reduce(redaction) { $0.keeping(.value($1)) }
  }

  private static func collect(_ bytes: [UInt8], _ found: inout Set<String>) {
    var at = 0
    while let start = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      var end = start + 1
      if end < bytes.count, bytes[end] == UInt8(ascii: "<") { end += 1 }
      let isDouble = end - start == 2
      let word = bytes[end...].prefix { isPart($0) }
      end = word.endIndex
      at = max(end, start + 1)
      guard word.count >= 3, word.count <= 60, end < bytes.count, bytes[end] == UInt8(ascii: ">") else { continue }
      if isDouble, end + 1 >= bytes.count || bytes[end + 1] != UInt8(ascii: ">") { continue }
      found.insert(String(decoding: bytes[start..<end + (isDouble ? 2 : 1)], as: UTF8.self))
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
