internal import CassetteJSON
import Cassettes

/// Reads the JSON dialect of WireMock's mappings: Jackson, its parser, accepts comments and single quotes.
enum WireMockJSON {
  /// Returns the JSON value in a file of mappings, and the line at which it begins.
  static func value(of path: String) throws(CassetteError) -> (value: JSONValue, line: Int)? {
    do throws(CassetteError) {
      return try value(in: JSONFeed(path: path))
    } catch {
      guard let relaxed = Self.relaxed(path) else { throw error }
      // The error for the unmodified text has the correct column.
      do throws(CassetteError) { return try value(in: relaxed) } catch _ { throw error }
    }
  }

  /// Returns a file with comments and single quotes converted, or nil if it has neither or cannot be read.
  static func relaxed(_ path: String) -> JSONFeed? {
    guard let bytes = try? CassetteFile.bytes(of: path) else { return nil }
    let text = plain(bytes)
    return text == bytes ? nil : JSONFeed(path: path, text: text)
  }

  private static func value(in feed: JSONFeed) throws(CassetteError) -> (value: JSONValue, line: Int)? {
    _ = try feed.peek()
    let line = feed.line
    guard let value = try feed.value() else { return nil }
    try feed.finish()
    return (value, line)
  }

  /// Replaces comments by white space, and single quotes by double quotes, without moving text to another line.
  static func plain(_ text: [UInt8]) -> [UInt8] {
    let (slash, star, backslash) = (UInt8(ascii: "/"), UInt8(ascii: "*"), UInt8(ascii: "\\"))
    let (quote, apostrophe) = (UInt8(ascii: "\""), UInt8(ascii: "'"))
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var at = text.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while at < text.count {
      let byte = text[at]
      let next = at + 1 < text.count ? text[at + 1] : 0
      if byte == quote || byte == apostrophe {
        output.append(quote)
        at += 1
        while at < text.count, text[at] != byte {
          if text[at] == backslash, at + 1 < text.count {
            if text[at + 1] == apostrophe { output.append(apostrophe) } else { output += text[at...at + 1] }
            at += 2
          } else {
            if text[at] == quote { output.append(backslash) }
            output.append(text[at])
            at += 1
          }
        }
        if at < text.count { output.append(quote) }
        at += 1
      } else if byte == slash, next == slash {
        while at < text.count, text[at] != 0x0a { at += 1 }
      } else if byte == slash, next == star {
        at += 2
        while at < text.count, !(text[at] == slash && text[at - 1] == star) {
          if text[at] == 0x0a { output.append(0x0a) }
          at += 1
        }
        at += 1
        output.append(0x20)
      } else {
        output.append(byte)
        at += 1
      }
    }
    return output
  }
}
