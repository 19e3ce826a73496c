import CCassetteZlib
import CassetteFormats
import CassetteHTTP
import CassetteJSON
import CassetteSystem
import Cassettes
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import MockServerKit
@testable import MockServerUpstream

/// The search for a secret in all its encodings.
extension RecordedSecretsTests {
  /// Returns the secret, and the part of its base64 that is the same for each of the three alignments.
  static func needles(_ secret: String) -> [Data] {
    var needles = [Data(secret.utf8)]
    for shift in 0..<3 {
      let coded = Array((Data(repeating: 0, count: shift) + Data(secret.utf8)).base64EncodedString().utf8)
      // Characters that share bits with the neighboring bytes differ from text to text.
      let core = String(decoding: coded[(shift == 0 ? 0 : shift + 1)...].dropLast(4), as: UTF8.self)
      needles.append(Data(core.utf8))
      needles.append(Data(core.replacing("+", with: "-").replacing("/", with: "_").utf8))
    }
    return needles
  }

  /// Returns the bytes, and the bytes after percent and backslash escapes are decoded repeatedly.
  static func readings(_ bytes: Data) -> [Data] {
    var readings = [bytes]
    var at = 0
    while at < readings.count, at < 8 {
      let reading = readings[at]
      for undone in [percentDecoded(reading), unescaped(reading)] where undone != reading && !readings.contains(undone)
      {
        readings.append(undone)
      }
      at += 1
    }
    return readings
  }

  static func percentDecoded(_ bytes: Data) -> Data {
    guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
    return Data(PercentEncoding.decode(Array(bytes)))
  }

  static func unescaped(_ bytes: Data) -> Data {
    guard bytes.contains(UInt8(ascii: "\\")) else { return bytes }
    var output: [UInt8] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        output.append(byte)
        continue
      }
      guard next == UInt8(ascii: "u"), let unit = UInt8(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16)
      else {
        output.append(next)
        continue
      }
      output.append(unit)
      rest = rest.dropFirst(4)
    }
    return Data(output)
  }

  /// Returns a long text without most of its filler.
  static func withoutFilling(_ bytes: Data) -> Data {
    guard bytes.count > 1 << 20 else { return bytes }
    let filling = Data(repeating: UInt8(ascii: "."), count: 256)
    var rest = Data()
    for start in stride(from: 0, to: bytes.count, by: filling.count) {
      let part = bytes[start..<min(start + filling.count, bytes.count)]
      if part != filling { rest += part }
    }
    return rest
  }

  func expectNone(of secrets: [String], in texts: [String: Data], _ when: String) {
    for (name, bytes) in texts {
      for reading in Self.readings(Self.withoutFilling(bytes)) {
        for secret in secrets {
          for needle in Self.needles(secret) {
            guard let found = reading.range(of: needle) else { continue }
            let context = reading[max(0, found.lowerBound - 60)..<min(reading.count, found.upperBound + 20)]
            Issue.record("\(when): \(name) contains \(secret): …\(String(decoding: context, as: UTF8.self))…")
          }
        }
      }
    }
  }
}
