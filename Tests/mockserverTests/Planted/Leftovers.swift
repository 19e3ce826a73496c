import CassetteHTTP
import CassetteSystem
import Cassettes
import Foundation

/// Searches files and output for parts of the planted secrets, in every encoding.
struct Leftovers {
  /// Eight unpredictable bytes of a secret, with the number of its case.
  private var windows: [UInt64: Int] = [:]
  private var filter = [UInt64](repeating: 0, count: 1 << 12)

  init(of cases: [PlantedCase]) {
    for one in cases {
      for part in one.hidden {
        let isNumber = part.utf8.allSatisfy { Self.digits.contains($0) }
        eachWindow(of: Array(part.utf8)) { window in
          // Timestamps of a journal may contain eight digits of a token by chance.
          guard isNumber || !Self.isNumber(window) else { return }
          windows[window] = one.number
          let hash = Self.hash(window)
          filter[hash >> 6] |= 1 << UInt64(hash & 63)
        }
      }
    }
  }

  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private static func isNumber(_ window: UInt64) -> Bool {
    withUnsafeBytes(of: window) { $0.allSatisfy(digits.contains) }
  }

  private static func hash(_ window: UInt64) -> Int { Int((window &* 0x9e37_79b9_7f4a_7c15) >> 46) }

  private func eachWindow(of bytes: [UInt8], _ use: (UInt64) -> Void) {
    var window: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      window = window << 8 | UInt64(byte)
      if index >= 7 { use(window) }
    }
  }

  /// Returns the cases whose secret is partly contained in the bytes or their decoded content.
  func found(in bytes: [UInt8], depth: Int = 0) -> Set<Int> {
    var found: Set<Int> = []
    eachWindow(of: bytes) { window in
      let hash = Self.hash(window)
      guard filter[hash >> 6] >> UInt64(hash & 63) & 1 == 1, let number = windows[window] else {
        return
      }
      found.insert(number)
    }
    guard depth < 3 else { return found }
    if let content = BodyCoding.unwrapping(bytes, charset: nil)?.content {
      found.formUnion(self.found(in: content, depth: depth + 1))
    }
    for run in bytes.split(whereSeparator: { !Self.isBase64($0) }) where run.count >= 16 {
      guard
        let data = Data(
          base64Encoded: Data(run + Array(repeating: 0x3d, count: (4 - run.count % 4) % 4)))
      else {
        continue
      }
      found.formUnion(self.found(in: Array(data), depth: depth + 1))
    }
    if bytes.contains(0x25), let text = String(decoding: bytes, as: UTF8.self).removingPercentEncoding,
      text.utf8.count < bytes.count
    {
      found.formUnion(self.found(in: Array(text.utf8), depth: depth + 1))
    }
    for text in Self.joined(bytes) { found.formUnion(self.found(in: text, depth: 3)) }
    return found
  }

  /// Returns the cases found in any file of a folder, or in any body that its cassettes play.
  func found(below folder: String) throws -> Set<Int> {
    var found: Set<Int> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else { continue }
      found.formUnion(self.found(in: Self.withoutChecksums(Array(data))))
      guard file.hasSuffix(".json"),
        let cassette = try? CassetteFile.read(path: "\(folder)/\(file)")
      else { continue }
      for interaction in cassette.interactions {
        for body in [interaction.requestBody, interaction.responseBody] {
          if let bytes = try body?.bytes() { found.formUnion(self.found(in: bytes)) }
        }
      }
    }
    return found
  }

  /// The content of a journal without the lines before its exchanges, whose checksums may contain hexadecimal digits of
  /// a token by chance; other content is returned unchanged.
  private static func withoutChecksums(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.starts(with: "mockserver journal ".utf8) else { return bytes }
    return Array(bytes.split(separator: 0x0a).filter { !$0.starts(with: "exchange ".utf8) }.joined(separator: [0x0a]))
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || byte == 0x2b || byte == 0x2f
  }

  /// Returns the joined content of the deltas of a stream.
  private static func joined(_ bytes: [UInt8]) -> [[UInt8]] {
    guard let text = String(validUTF8: bytes), text.contains("\"content\": \"")
    else { return [] }
    let pieces = text.split(separator: "\"content\": \"").dropFirst().map {
      $0.prefix { $0 != "\"" }
    }
    return [Array(pieces.joined().utf8)]
  }
}
