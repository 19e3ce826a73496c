internal import CassetteSystem

/// The encoding of text in UTF-16 or UTF-32, with either byte order, with or without a byte order mark.
///
/// The conversion to UTF-8 and back is lossless: unpaired surrogates are encoded in three bytes, and bytes after the
/// last complete unit are stored separately.
package struct WideText: Hashable, Sendable {
  private let width: Int
  private let isBigEndian: Bool
  private let hasMark: Bool
  private let tail: [UInt8]

  /// Detects the encoding and converts the text to UTF-8; nil for other data, and for text without ASCII characters.
  static func reading(_ bytes: [UInt8], charset: String?) -> (form: WideText, content: [UInt8])? {
    // Every ASCII character has a zero byte in these encodings. UTF-8 text contains none.
    guard bytes.count > 3, bytes.searching({ $0.first(0, from: 0) != nil }) else { return nil }
    for mark in marks where bytes.starts(with: mark.bytes) {
      if let read = read(bytes, WideText(mark.width, mark.isBigEndian, true, bytes)) { return read }
    }
    if let said = said(by: charset?.lowercased() ?? "", bytes), let read = read(bytes, said) { return read }
    return guessed(bytes)
  }

  private static let marks: [(bytes: [UInt8], width: Int, isBigEndian: Bool)] = [
    // The first mark also begins with the bytes of the last one, so it must be checked earlier.
    ([0xFF, 0xFE, 0, 0], 4, false), ([0, 0, 0xFE, 0xFF], 4, true), ([0xFE, 0xFF], 2, true), ([0xFF, 0xFE], 2, false),
  ]

  /// Returns the encoding named by a charset.
  ///
  /// If the name leaves the byte order open, the zero bytes of ASCII characters determine it.
  private static func said(by charset: String, _ bytes: [UInt8]) -> WideText? {
    let width = charset.hasPrefix("utf-16") ? 2 : charset.hasPrefix("utf-32") ? 4 : 0
    if width == 0 { return nil }
    func zeros(at offset: Int) -> Int { stride(from: offset, to: bytes.count, by: width).count { bytes[$0] == 0 } }
    let isOpen = !charset.hasSuffix("be") && !charset.hasSuffix("le")
    let isBigEndian = isOpen ? zeros(at: 0) >= zeros(at: width - 1) : charset.hasSuffix("be")
    return WideText(width, isBigEndian, false, bytes)
  }

  private init(_ width: Int, _ isBigEndian: Bool, _ hasMark: Bool, _ bytes: [UInt8]) {
    self.width = width
    self.isBigEndian = isBigEndian
    self.hasMark = hasMark
    tail = Array(bytes.suffix(bytes.count % width))
  }

  /// Tries all encodings for text without a byte order mark.
  ///
  /// The correct one results in no control characters.
  private static func guessed(_ bytes: [UInt8]) -> (form: WideText, content: [UInt8])? {
    guard bytes.count >= 8 else { return nil }
    for (width, isBigEndian) in [(4, false), (4, true), (2, false), (2, true)] {
      let form = WideText(width, isBigEndian, false, bytes)
      let start = Array(bytes.prefix(256))
      guard form.looksRight(start), form.looksRight(bytes), let read = read(bytes, form) else { continue }
      return read
    }
    return nil
  }

  /// Returns true if the bytes in this encoding are likely to be written text.
  private func looksRight(_ bytes: [UInt8]) -> Bool {
    var (ascii, others) = (0, 0)
    for index in stride(from: 0, to: bytes.count - width + 1, by: width) {
      let unit = unit(bytes, index)
      switch unit {
      case 0x20..<0x7F, 0x08...0x0D, 0x1B: ascii += 1
      case 0..<0xA0, 0xFFFE, 0xFFFF, 0x110000...: return false
      // Latin text in the wrong byte order has units of this form.
      case _ where unit & 0xFF == 0: others += 2
      default: others += 1
      }
    }
    return ascii > 0 && (ascii * 8 >= others || width == 4)
  }

  @inline(__always)
  private func unit(_ bytes: [UInt8], _ index: Int) -> UInt32 {
    var unit: UInt32 = 0
    for offset in 0..<width {
      unit = unit << 8 | UInt32(bytes[isBigEndian ? index + offset : index + width - 1 - offset])
    }
    return unit
  }

  private static func read(_ bytes: [UInt8], _ form: WideText) -> (form: WideText, content: [UInt8])? {
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count / form.width)
    var index = form.hasMark ? form.width : 0
    while index + form.width <= bytes.count {
      var scalar = form.unit(bytes, index)
      index += form.width
      if form.width == 2, scalar & 0xFC00 == 0xD800, index + 2 <= bytes.count,
        case let low = form.unit(bytes, index), low & 0xFC00 == 0xDC00
      {
        scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
        index += 2
      }
      guard scalar < 0x110000 else { return nil }
      content.append(scalar: scalar)
    }
    return (form, content)
  }

  /// Converts UTF-8 text to this encoding; nil if the content is not valid UTF-8.
  func wrap(_ content: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count * width + width)
    func append(_ unit: UInt32) {
      for offset in 0..<width {
        let shift = UInt32(8 * (isBigEndian ? width - 1 - offset : offset))
        bytes.append(UInt8(truncatingIfNeeded: unit >> shift))
      }
    }
    if hasMark { append(0xFEFF) }
    var index = 0
    while index < content.count {
      let first = content[index]
      let (length, bits): (Int, UInt8) =
        switch first {
        case ..<0x80: (1, first)
        case 0xC2..<0xE0: (2, first & 0x1F)
        case 0xE0..<0xF0: (3, first & 0x0F)
        case 0xF0..<0xF5: (4, first & 0x07)
        default: (0, 0)
        }
      guard length > 0, index + length <= content.count else { return nil }
      var scalar = UInt32(bits)
      for byte in content[index + 1..<index + length] {
        guard byte & 0xC0 == 0x80 else { return nil }
        scalar = scalar << 6 | UInt32(byte & 0x3F)
      }
      index += length
      guard scalar < 0x110000 else { return nil }
      if width == 2, scalar > 0xFFFF {
        append(0xD800 + (scalar - 0x10000) >> 10)
        append(0xDC00 + (scalar - 0x10000) & 0x3FF)
      } else {
        append(scalar)
      }
    }
    return bytes + tail
  }
}
