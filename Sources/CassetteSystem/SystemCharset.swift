/// Encodes text with `iconv`, a function of glibc and musl, and of libiconv on Apple's systems.
package enum SystemCharset {
  private typealias Open = @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>) -> UnsafeMutableRawPointer?
  private typealias Text = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private typealias Convert =
    @convention(c) (UnsafeMutableRawPointer, Text?, UnsafeMutablePointer<Int>?, Text, UnsafeMutablePointer<Int>) -> Int
  private typealias Close = @convention(c) (UnsafeMutableRawPointer) -> Int32

  private static let calls: (open: Open, convert: Convert, close: Close)? = SystemLibrary.load([
    "libc.so.6", "libc.so", "/usr/lib/libiconv.2.dylib",
  ]) { (library) throws(SystemLibrary.Missing) in
    (try library.find("iconv_open"), try library.find("iconv"), try library.find("iconv_close"))
  }

  /// Returns UTF-8 text in another charset; nil if the system does not know it, or if it lacks one of the characters.
  ///
  /// - `name`: A trusted name: some converters of old systems are unsafe.
  package static func encode(_ text: [UInt8], as name: String) -> [UInt8]? {
    guard let calls, let converter = calls.open(name, "UTF-8"), Int(bitPattern: converter) != -1 else { return nil }
    defer { _ = calls.close(converter) }
    // A character has at most four bytes, after an escape sequence of four bytes.
    var (text, room, isWhole) = (text, text.count * 8 + 16, false)
    let bytes = text.withUnsafeMutableBytes { text in
      [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var input = text.bindMemory(to: CChar.self).baseAddress
        var output = UnsafeMutableRawBufferPointer(buffer).bindMemory(to: CChar.self).baseAddress
        var left = text.count
        count = room
        // The second call ends an escape sequence. The result is the number of substituted characters.
        isWhole =
          calls.convert(converter, &input, &left, &output, &room) == 0
          && calls.convert(converter, nil, nil, &output, &room) == 0
        count -= room
      }
    }
    return isWhole ? bytes : nil
  }
}
