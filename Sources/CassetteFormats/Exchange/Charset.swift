import CassetteSystem

/// Converts text that a recorder decoded back to the bytes of the message.
enum Charset {
  /// Returns the encoded text, or nil if the charset is unknown, or lacks one of the characters.
  static func bytes(_ text: [UInt8], _ name: String?) -> [UInt8]? {
    let name = key(name ?? "")
    guard name.hasPrefix("utf16") || text.contains(where: { $0 >= 0x80 }) else { return text }
    switch name {
    // `ASCII-8BIT` is Ruby's name for an unknown charset. In JSON, such text is UTF-8.
    case "", "utf8", "utf8mb4", "ascii8bit", "binary", "usascii", "ascii": return text
    case "iso88591", "latin1":
      let scalars = String(decoding: text, as: UTF8.self).unicodeScalars
      // Browsers read Latin-1 as windows-1252.
      guard scalars.allSatisfy({ $0.value < 0x100 }) else { return SystemCharset.encode(text, as: "windows-1252") }
      return scalars.map { UInt8(truncatingIfNeeded: $0.value) }
    default: return names[name].flatMap { SystemCharset.encode(text, as: $0) }
    }
  }

  private static func key(_ name: String) -> String { name.lowercased().filter { !"-_ \"".contains($0) } }

  /// The system's names of the charsets that browsers support, some of them those of a larger charset.
  private static let names: [String: String] = {
    let names = """
      iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-13
      iso-8859-14 iso-8859-15 iso-8859-16 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255
      windows-1256 windows-1257 windows-1258 cp866 koi8-r koi8-u macintosh gbk gb18030 big5 euc-jp iso-2022-jp tis-620
      utf-16 utf-16le utf-16be
      """.split(whereSeparator: \.isWhitespace).map { (key(String($0)), String($0)) }
    let larger = ["shiftjis": "cp932", "sjis": "cp932", "windows31j": "cp932", "euckr": "cp949", "gb2312": "gbk"]
    return Dictionary(names) { $1 }.merging(larger) { $1 }
  }()
}
