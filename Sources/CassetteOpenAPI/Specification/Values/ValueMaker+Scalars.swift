internal import CassetteEngines
internal import CassetteJSON
internal import CassettePatterns
internal import CassetteSystem

/// Generates numbers and strings.
extension ValueMaker {
  /// The maximum length of strings.
  private static let longest = 1 << 20
  /// The maximum integer that `Double` represents exactly.
  private static let exact = 9_007_199_254_740_991.0

  func number(_ view: SchemaView, _ attempt: Int, _ ordinal: Int, _ random: inout SeededRandom) -> [UInt8]? {
    let isInteger =
      !(view.types?.contains("number") ?? true) || view.types == nil && view.divisors.contains { $0.value >= 1 }
    let (low, high) = (view.minimum?.value ?? -.infinity, view.maximum?.value ?? .infinity)
    guard low <= high else { return nil }
    if let divisor = view.divisors.max(by: { $0.value < $1.value }) {
      return multiple(of: divisor, view, attempt, isRandom ? random.below(50) : ordinal, isInteger)
    }
    // Numbers beyond the exact range are copied from the limit's JSON form.
    for bound in [view.minimum, view.maximum].compactMap(\.self) where abs(bound.value) > Self.exact {
      if low > Self.exact || high < -Self.exact, !bound.isExclusive { return Array(bound.token.utf8) }
    }
    // Few large numbers may be valid: after several attempts, every other attempt uses a small number.
    let most = attempt >= 8 && attempt % 2 == 1 ? 10 : 1_000
    var offset = Double(isRandom ? random.below(most) : ordinal + attempt)
    if isInteger {
      let first =
        low.isFinite ? low.rounded(.up) + (view.minimum?.isExclusive ?? false && low == low.rounded(.up) ? 1 : 0) : low
      let last =
        high.isFinite
        ? high.rounded(.down) - (view.maximum?.isExclusive ?? false && high == high.rounded(.down) ? 1 : 0) : high
      guard first <= last else { return nil }
      if first.isFinite, last.isFinite, last - first < offset {
        offset = offset.truncatingRemainder(dividingBy: last - first + 1)
      }
      let start = first <= 0 && last >= 0 && !(last < offset) ? 0 : first.isFinite ? first : last - offset
      return Array(Self.text(whole: start + offset).utf8)
    }
    let isOpen = view.minimum?.isExclusive ?? false || view.maximum?.isExclusive ?? false
    if low.isFinite, high.isFinite {
      if low == high { return isOpen ? nil : Array(view.minimum?.token.utf8 ?? "0".utf8) }
      if !isRandom, offset == 0, !isOpen {
        return Array(low <= 0 && high >= 0 ? "0".utf8 : (view.minimum?.token ?? "0").utf8)
      }
      let part = isRandom ? random.fraction() : (offset + 1) / (offset + 2)
      return Array(Self.text(low + (high - low) * max(0.001, min(part, 0.999))).utf8)
    }
    if low.isFinite { return Array(Self.text(max(low + (isOpen ? 1 : 0), low < 0 ? 0 : low) + offset).utf8) }
    if high.isFinite {
      return Array(
        Self.text(min(high - (isOpen ? 1 : 0), high > offset ? 0 : high) - (high > offset ? -offset : offset)).utf8)
    }
    return Array((isRandom ? Self.text((Double(random.below(100_000)) / 100)) : Self.text(offset)).utf8)
  }

  private static func text(whole value: Double) -> String { abs(value) <= exact ? "\(Int64(value))" : "\(value)" }

  private static func text(_ value: Double) -> String { value == value.rounded() ? text(whole: value) : "\(value)" }

  /// Returns a multiple of a divisor within the limits, computed with integers so that it is exact.
  private func multiple(
    of divisor: (value: Double, token: String), _ view: SchemaView, _ attempt: Int, _ offset: Int, _ isInteger: Bool
  ) -> [UInt8]? {
    guard let number = JSONNumber(Array(divisor.token.utf8)[...]), number.digits.count <= 15,
      let unit = Int64(String(decoding: number.digits, as: UTF8.self)), abs(number.exponent) <= 15
    else { return nil }
    var factor = 0.0
    if let minimum = view.minimum, minimum.value > 0 || minimum.isExclusive && minimum.value == 0 {
      factor = (minimum.value / divisor.value).rounded(.up)
      if minimum.isExclusive, factor * divisor.value <= minimum.value { factor += 1 }
    } else if let maximum = view.maximum, maximum.value < 0 || maximum.isExclusive && maximum.value == 0 {
      factor = (maximum.value / divisor.value).rounded(.down)
      if maximum.isExclusive, factor * divisor.value >= maximum.value { factor -= 1 }
    }
    let step = Double(offset + attempt)
    if let maximum = view.maximum, (factor + step) * divisor.value > maximum.value {} else { factor += step }
    // The multiple of a fraction is not always an integer, but 10,000 times the multiple is for most divisors.
    if isInteger, number.exponent < 0 { factor *= 10_000 }
    guard abs(factor) * Double(unit) < Self.exact, number.exponent > -16 else { return nil }
    let digits = Int64(factor) * unit
    if number.exponent >= 0 {
      return Array((String(digits) + String(repeating: "0", count: digits == 0 ? 0 : number.exponent)).utf8)
    }
    let sign = digits < 0 ? "-" : ""
    let text = String(digits.magnitude)
    let padded = String(repeating: "0", count: max(0, 1 - number.exponent - text.count)) + text
    let whole = padded.dropLast(-number.exponent)
    let fraction = padded.suffix(-number.exponent).reversed().drop { $0 == "0" }.reversed()
    return Array((sign + whole + (fraction.isEmpty ? "" : "." + String(fraction))).utf8)
  }

  // MARK: Texts

  func string(_ view: SchemaView, _ attempt: Int, _ ordinal: Int, _ random: inout SeededRandom) -> String? {
    guard view.minLength <= Self.longest, view.minLength <= view.maxLength ?? .max else { return nil }
    let length = view.minLength...max(view.minLength, min(view.maxLength ?? Self.longest, Self.longest))
    if !view.patterns.isEmpty {
      let patterns = view.patterns.compactMap { try? TextPattern($0, in: .ecmaScript, ofPart: true) }
      guard patterns.count == view.patterns.count else { return nil }
      let number = ordinal + attempt
      let known = view.format.flatMap { FormatSample.text(of: $0, number) }
      return text(of: patterns, length, number, known, &random)
    }
    var text: String
    if let format = view.format, let known = FormatSample.text(of: format, number(ordinal, attempt, &random)) {
      text = known
      // The length of a sample is given by its format; some formats allow longer strings.
      return text.unicodeScalars.count < view.minLength ? FormatSample.lengthened(text, format, view.minLength) : text
    }
    let count = number(ordinal, attempt, &random)
    text = isRandom ? FormatSample.words(&random) : "string\(count == 0 ? "" : "\(count + 1)")"
    if view.isBase64 { text = BodyBase64.text(of: Array(text.utf8)) }
    if text.utf8.count < length.lowerBound {
      let short = length.lowerBound - text.utf8.count
      text += String(repeating: "string", count: short / 6 + 1).prefix(short)
    }
    if text.utf8.count > length.upperBound {
      // The end of the string contains the number that distinguishes elements.
      text = count == 0 || isRandom ? String(text.prefix(length.upperBound)) : String(text.suffix(length.upperBound))
    }
    return text
  }

  /// Returns a string that matches all patterns, a different one for each number if the patterns allow it.
  func text(
    of patterns: [TextPattern], _ length: ClosedRange<Int>, _ number: Int, _ known: String? = nil,
    _ random: inout SeededRandom
  ) -> String? {
    func suits(_ text: String) -> Bool {
      length.contains(text.unicodeScalars.count) && patterns.allSatisfy { $0.matches(text) }
    }
    if let known, suits(known) { return known }
    var plain = patterns.compactMap { $0.sample(length: length, attempt: 0, &random) }
    if plain.count > 1 { plain += [plain.joined(), plain.reversed().joined()] }
    if number > 0 {
      // A pattern without `^` or `$` allows extra characters, which make strings different.
      let letters = String(Self.letters(number))
      for text in plain {
        for other in ["\(text)\(number)", text + letters, "\(number)\(text)", letters + text] where suits(other) {
          return other
        }
      }
    }
    if number > 0 || isRandom {
      for pattern in patterns {
        if let text = pattern.sample(length: length, attempt: 1 + number, &random), suits(text) { return text }
      }
    }
    return plain.first(where: suits) ?? Self.guesses(length, number).first(where: suits)
  }

  /// Returns a number in letters: `b`, `c`, … `ba`.
  private static func letters(_ number: Int) -> [Character] {
    var (rest, letters) = (number, [Character]())
    repeat {
      letters.insert(Character(Unicode.Scalar(UInt8(97 + rest % 26))), at: 0)
      rest /= 26
    } while rest > 0
    return letters
  }

  /// Returns strings with several kinds of characters, for patterns with lookahead such as those of passwords.
  private static func guesses(_ length: ClosedRange<Int>, _ number: Int) -> [String] {
    let parts = ["Aa1!", "Aa1", "aA1-", "Aa1_", "a1", "A1", "a", "A", "1", "a-", "a.b", "/a", "a@example.com"]
    return parts.flatMap { part in
      [length.lowerBound, 8, 12, 16, 20, part.utf8.count].filter { $0 <= 1 << 12 }.map { size in
        let tail = number > 0 ? "\(number)" : ""
        let count = max(1, size - tail.utf8.count)
        return String(repeating: part, count: count / part.utf8.count + 1).prefix(count) + tail
      }
    }
  }

  private func number(_ ordinal: Int, _ attempt: Int, _ random: inout SeededRandom) -> Int {
    isRandom ? random.below(10_000) : ordinal + max(0, attempt - 1)
  }
}
