internal import CassetteEngines
internal import CassetteHTTP
internal import CassetteJSON
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// Shifts every date of an answer by the same interval, so that an old recording appears current.
///
/// Recognized dates are RFC 3339, ISO 8601 and RFC 9110 dates, seconds or milliseconds since 1970 under a name that
/// denotes a time, and `exp`, `iat` and `nbf` of unsigned JWTs.
struct MovedDates: Sendable {
  /// The number of seconds by which dates are shifted.
  let seconds: Int

  /// Creates a shift by a number of seconds.
  init(by seconds: Int) { self.seconds = seconds }

  /// Returns a field's value with its dates shifted.
  func field(_ name: String, _ value: String) -> String {
    if let count = Int(value), Self.speaksOfTime(name), let moved = epoch(count) { return String(moved) }
    return text(Array(value.utf8)).map { String(decoding: $0, as: UTF8.self) } ?? value
  }

  /// Returns a body with its dates shifted; nil if it contains no dates, or is binary.
  func body(_ bytes: [UInt8]) -> [UInt8]? {
    var found: [(range: Range<Int>, bytes: [UInt8])] = []
    let isJSON = JSONScalars.each(in: bytes) { path, range in
      let token = bytes[range]
      if token.first == UInt8(ascii: "\"") {
        if let moved = text(Array(token)) { found.append((range, moved)) }
      } else if let name = path.lastName, Self.speaksOfTime(name),
        let count = Int(String(decoding: token, as: UTF8.self)), let moved = epoch(count)
      {
        found.append((range, Array(String(moved).utf8)))
      }
    }
    return isJSON ? replaced(bytes, found) : text(bytes)
  }

  // MARK: Strings

  /// Returns a string with its dates shifted; nil if it contains no dates.
  private func text(_ bytes: [UInt8]) -> [UInt8]? {
    var found: [(range: Range<Int>, bytes: [UInt8])] = []
    var at = 0
    while at < bytes.count {
      let before = at > 0 ? bytes[at - 1] : 0x20
      guard !Self.word.contains(before) else {
        at += 1
        continue
      }
      if let (end, moved) = iso(bytes, at) ?? http(bytes, at) ?? token(bytes, at) {
        found.append((at..<end, moved))
        at = end
      } else {
        at += 1
      }
    }
    return replaced(bytes, found)
  }

  private static let word = ByteSet.word.adding("-./_")

  private func iso(_ bytes: [UInt8], _ at: Int) -> (Int, [UInt8])? {
    guard bytes[at] &- 0x31 < 2, let time = ISOTime(bytes[at...]), (1970..<2100).contains(time.year) else { return nil }
    // A time next to digits or letters is part of something else, such as a version or a name.
    if time.end < bytes.count, Self.word.contains(bytes[time.end]), bytes[time.end] != UInt8(ascii: ".") { return nil }
    return (time.end, time.moved(by: seconds))
  }

  private func http(_ bytes: [UInt8], _ at: Int) -> (Int, [UInt8])? {
    // Sun, 06 Nov 1994 08:49:37 GMT
    let length = 29
    guard at + length <= bytes.count, bytes[at + 3] == UInt8(ascii: ","), bytes[at + 4] == 0x20,
      let time = HTTPDate.parse(String(decoding: bytes[at..<at + length], as: UTF8.self))
    else { return nil }
    return (at + length, Array(HTTPDate.format(time + seconds).utf8))
  }

  /// Returns an unsigned JWT (RFC 7519 §6) with its dates shifted; a signed JWT would become invalid.
  private func token(_ bytes: [UInt8], _ at: Int) -> (Int, [UInt8])? {
    guard bytes[at...].starts(with: "eyJ".utf8) else { return nil }
    let end = bytes[at...].firstIndex { !Self.tokenBytes.contains($0) } ?? bytes.count
    let parts = bytes[at..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2].isEmpty, let claims = Base64URL.bytes(of: parts[1]), let tree = JSONTree(claims),
      case .object(let members) = tree.root.kind
    else { return nil }
    var found: [(range: Range<Int>, bytes: [UInt8])] = []
    for member in members where ["exp", "iat", "nbf"].contains(member.text) {
      let count = Int(String(decoding: claims[member.value.range], as: UTF8.self))
      if let moved = count.flatMap({ epoch($0) }) { found.append((member.value.range, Array(String(moved).utf8))) }
    }
    guard let moved = replaced(claims, found) else { return nil }
    return (end, Array(parts[0]) + [UInt8(ascii: ".")] + Array(Base64URL.text(of: moved).utf8) + [UInt8(ascii: ".")])
  }

  private static let tokenBytes = ByteSet.word.adding("-_.")

  // MARK: Numbers

  /// Returns a shifted number of seconds or milliseconds from 2001 to 2100; nil for other numbers.
  private func epoch(_ count: Int) -> Int? {
    let years = 978_307_200..<4_102_444_800
    if years.contains(count) { return count + seconds }
    return years.contains(count / 1000) ? count + seconds * 1000 : nil
  }

  /// Returns true if a number under this name is a time, because ids may have ten digits, too.
  private static func speaksOfTime(_ name: String) -> Bool {
    let letters = name.lowercased()
    if ["exp", "iat", "nbf", "ts", "at", "time", "date", "since", "until"].contains(letters) { return true }
    if letters.hasSuffix("_at") || name.hasSuffix("At") || letters.hasSuffix("_ts") || letters.hasSuffix("reset") {
      return true
    }
    return ["timestamp", "expires", "expiry", "created", "updated", "modified", "date", "epoch", "_time"].contains {
      letters.contains($0)
    } || name.hasSuffix("Time")
  }

  private func replaced(_ bytes: [UInt8], _ found: [(range: Range<Int>, bytes: [UInt8])]) -> [UInt8]? {
    found.isEmpty ? nil : bytes.replacing(found)
  }
}

extension PlayedResponse {
  /// Shifts the dates in fields and body; a body in a long file is not changed.
  mutating func move(_ dates: MovedDates) {
    headers = headers.replacing { dates.field($0.name, $0.value) }
    trailers = trailers.replacing { dates.field($0.name, $0.value) }
    let type = headers.mediaType
    guard type?.isText ?? true, !headers.contains("Content-Encoding") else { return }
    body.replace(dates.body)
  }
}
