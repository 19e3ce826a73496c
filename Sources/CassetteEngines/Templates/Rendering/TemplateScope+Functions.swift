internal import CassetteHTTP
internal import CassetteJSON

/// Evaluates helpers that depend only on their arguments.
extension TemplateScope {
  func plain(_ helper: TemplateHelper, _ arguments: [TemplateValue]) throws(TemplateError) -> TemplateValue {
    let value = arguments[0]
    var other: TemplateValue { arguments.count > 1 ? arguments[1] : .absent }
    switch helper {
    case .upper: return .text(value.text.uppercased())
    case .lower: return .text(value.text.lowercased())
    case .capitalize: return .text(value.text.prefix(1).uppercased() + value.text.dropFirst())
    case .trim: return .text(Self.trimmed(value.text))
    case .replace: return .text(try Self.replace(value.text, other.text, arguments[2].text))
    case .substring: return .text(Self.part(of: value.text, arguments.dropFirst().map { Self.integer($0) }))
    case .split: return .list(Self.split(value.text, arguments.count > 1 ? other.text : ","))
    case .join: return .text(try Self.join(value, arguments.count > 1 ? other.text : ","))
    case .concat: return .text(arguments.map(\.text).joined())
    case .size: return .integer(Self.size(value))
    case .first: return value.element(0)
    case .last: return value.items.last?.value ?? value.element(0)
    case .lookup: return value.member(other.text)
    case .number:
      let token = Array(Self.trimmed(value.text).utf8)
      return JSONNumber(token[...]) != nil && JSONValue(token) != nil ? TemplateValue(token: token) : .absent
    case .string: return .text(value.text)
    case .json: return .text(String(decoding: value.json, as: UTF8.self))
    case .parse: return JSONValue(Array(value.text.utf8)).map { TemplateValue(token: $0.compact) } ?? .absent
    case .urlencode: return .text(String(decoding: TemplateEscaping.component(value.text), as: UTF8.self))
    case .eq: return .bool(Self.areEqual(value, other))
    case .ne: return .bool(!Self.areEqual(value, other))
    case .lt: return .bool(Self.isLess(value, other))
    case .gt: return .bool(Self.isLess(other, value))
    case .le: return .bool(!Self.isLess(other, value))
    case .ge: return .bool(!Self.isLess(value, other))
    case .not: return .bool(!value.isTrue)
    case .contains:
      if case .text(let text) = value { return .bool(other.text.isEmpty || text.contains(other.text)) }
      let (number, wanted) = (other.number, other.text)
      return .bool(value.items.contains { $0.value.number.map { $0 == number } ?? ($0.value.text == wanted) })
    case .startsWith: return .bool(value.text.hasPrefix(other.text))
    case .endsWith: return .bool(value.text.hasSuffix(other.text))
    case .add, .subtract, .multiply, .divide, .modulo: return Self.arithmetic(helper, value, other)
    case .round:
      guard let number = value.number else { return .absent }
      let scale = Self.powers[min(max(0, Self.integer(other) ?? 0), 9)]
      return TemplateValue((number * scale).rounded() / scale)
    // These helpers need the request context and are evaluated elsewhere.
    case .now, .date, .uuid, .random, .fake, .counter, .jwt, .base64, .sha256, .range, .and, .or: return .absent
    }
  }

  private static let powers = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9]

  private static func trimmed(_ text: String) -> String {
    let isBlank = { (character: Character) in character.isWhitespace }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else { return "" }
    return String(text[first...last])
  }

  private static func replace(_ text: String, _ part: String, _ replacement: String) throws(TemplateError) -> String {
    guard !part.isEmpty else { return text }
    let parts = text.utf8.count / part.utf8.count
    guard parts <= TemplateBudget.longest / max(1, replacement.utf8.count) else { throw .tooLong }
    return text.replacing(part, with: replacement)
  }

  private static func join(_ value: TemplateValue, _ separator: String) throws(TemplateError) -> String {
    let parts = value.items
    if parts.isEmpty { return value.text }
    guard parts.count <= TemplateBudget.longest / max(1, separator.utf8.count) else { throw .tooLong }
    return parts.map(\.value.text).joined(separator: separator)
  }

  private static func part(of text: String, _ bounds: [Int?]) -> String {
    let characters = Array(text)
    func place(_ bound: Int?, else standard: Int) -> Int {
      guard let bound else { return standard }
      return min(max(0, bound < 0 ? characters.count + bound : bound), characters.count)
    }
    let start = place(bounds[0], else: 0)
    let end = place(bounds.count > 1 ? bounds[1] : nil, else: characters.count)
    return start < end ? String(characters[start..<end]) : ""
  }

  private static func split(_ text: String, _ separator: String) -> [TemplateValue] {
    guard !separator.isEmpty else { return text.map { .text(String($0)) } }
    return text.split(separator: separator, omittingEmptySubsequences: false).map { .text(String($0)) }
  }

  private static func size(_ value: TemplateValue) -> Int {
    switch value {
    case .absent: 0
    case .text(let text): text.count
    case .bool, .integer, .decimal: value.text.count
    case .several, .json, .list: value.items.count
    }
  }

  static func areEqual(_ one: TemplateValue, _ other: TemplateValue) -> Bool {
    if let first = one.number, let second = other.number { return first == second }
    if one.isAbsent || other.isAbsent { return one.isAbsent && other.isAbsent }
    return one.text == other.text
  }

  private static func isLess(_ one: TemplateValue, _ other: TemplateValue) -> Bool {
    if let first = one.number, let second = other.number { return first < second }
    return one.text < other.text
  }

  private static func arithmetic(
    _ helper: TemplateHelper, _ one: TemplateValue, _ other: TemplateValue
  ) -> TemplateValue {
    guard let first = one.number, let second = other.number else { return .absent }
    switch helper {
    case .add: return TemplateValue(first + second)
    case .subtract: return TemplateValue(first - second)
    case .multiply: return TemplateValue(first * second)
    case .divide: return TemplateValue(first / second)
    default: return TemplateValue(first.truncatingRemainder(dividingBy: second))
    }
  }
}

/// Parses the times that template values contain.
enum TemplateTime {
  /// Parses a number of seconds or milliseconds, an RFC 3339 time, or an HTTP date (RFC 9110).
  ///
  /// Returns nil for any other value.
  static func nanoseconds(of value: TemplateValue) -> Int? {
    if let number = value.number {
      let seconds = abs(number) >= 1e11 ? number / 1000 : number
      return abs(seconds) < 9e9 ? Int(seconds * 1e9) : nil
    }
    let text = value.text
    if let seconds = HTTPDate.parse(text) { return seconds * 1_000_000_000 }
    return ISOTime(Array(text.utf8)[...]).flatMap { $0.isWhole ? $0.nanoseconds : nil }
  }
}

/// SHA-256 (FIPS 180-4) and HMAC, for systems without a library for them.
enum SHA256 {
  /// Returns the digest of a message, 32 bytes.
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var padded = message
    padded.append(0x80)
    while padded.count % 64 != 56 { padded.append(0) }
    let bits = UInt64(message.count) &* 8
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    var words = [UInt32](repeating: 0, count: 64)
    for block in stride(from: 0, to: padded.count, by: 64) {
      for index in 0..<16 {
        let at = block + index * 4
        let high = UInt32(padded[at]) << 24 | UInt32(padded[at + 1]) << 16
        words[index] = high | UInt32(padded[at + 2]) << 8 | UInt32(padded[at + 3])
      }
      compress(&state, &words)
    }
    return state.flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
    }
  }

  /// Returns the HMAC of a message with a key (RFC 2104), 32 bytes.
  static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let short = key.count > 64 ? digest(key) : key
    let padded = short + [UInt8](repeating: 0, count: 64 - short.count)
    return digest(padded.map { $0 ^ 0x5c } + digest(padded.map { $0 ^ 0x36 } + message))
  }

  private static func compress(_ state: inout [UInt32], _ words: inout [UInt32]) {
    for index in 16..<64 {
      let (early, late) = (words[index - 15], words[index - 2])
      let small = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
      let large = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
      words[index] = words[index - 16] &+ small &+ words[index - 7] &+ large
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let first = h &+ (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) &+ choice &+ constants[index] &+ words[index]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
