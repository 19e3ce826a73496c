internal import CassetteShapes
internal import CassetteSystem

/// Values that a program hands over in a call, by their name or by their place.
extension SecretFinder {
  /// The value of `setPassword("…")` and `= PASSWORD('…')`.
  func sole(after start: Int, _ length: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let name = start - length..<start - 1
    let before = String(decoding: text.bytes(max(0, name.lowerBound - 4)..<name.lowerBound), as: UTF8.self)
    // GraphQL's `changePassword(old: "…", new: "…")`
    var at = text.skippingSpace(start)
    while let (title, next, isQuoted) = word(at, in: text, endsAt: Self.endsTitle), !isQuoted,
      text.at(next) == UInt8(ascii: ":"), Self.values.contains(SecretNames.text(text, title).lowercased()),
      let value = word(text.skippingSpace(next + 1), in: text), value.isQuoted
    {
      take(Name(range: name, verdict: .secret), word: value.range, in: text, found)
      at = text.skippingSpace(value.next)
      at = text.at(at) == UInt8(ascii: ",") ? text.skippingSpace(at + 1) : at
    }
    guard [".", "set", "Set", "set_", "= "].contains(where: before.hasSuffix),
      let (range, next, isQuoted) = word(text.skippingSpace(start), in: text), isQuoted,
      text.at(text.skippingSpace(next)) == UInt8(ascii: ")"), Self.isNoWord(text.bytes(range))
    else { return }
    take(Name(range: name, verdict: .secret), word: range, in: text, found)
  }

  private static let endsTitle = TextEnds.endsWord.adding(":(")

  /// The strings that stand one behind the other in a call, from an offset on.
  private func strings(_ start: Int, most: Int, in text: ByteSearch) -> [Range<Int>] {
    var strings: [Range<Int>] = []
    var at = text.skippingSpace(start)
    while strings.count < most, let (range, next, isQuoted) = word(at, in: text), isQuoted {
      strings.append(range)
      at = text.skippingSpace(next)
      // Ruby's `fetch("TOKEN") { "abc" }`
      let isBlock = strings.count == 1 && text.at(at) == UInt8(ascii: ")")
      if isBlock { at = text.skippingSpace(at + 1) }
      guard text.at(at) == (isBlock ? UInt8(ascii: "{") : UInt8(ascii: ",")) else { break }
      at = text.skippingSpace(at + 1)
    }
    return strings
  }

  /// The value of `set("token", "abc")`.
  func call(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let strings = strings(start, most: 2, in: text)
    guard strings.count == 2, var name = named(strings[0], in: text) else { return }
    name.isPair = true
    var value = strings[1]
    // Gradle's `"API_KEY", "\\"abc\\""`
    if text.at(value.upperBound - 1) == UInt8(ascii: "\""), text[value.lowerBound] == UInt8(ascii: "\\") {
      value = value.lowerBound + 2..<max(value.lowerBound + 2, value.upperBound - 2)
    }
    take(name, value, text.bytes(value), in: text, found)
  }

  /// The password of `getConnection(url, "ada", "abc")`, by its number.
  func argument(_ number: Int, after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let strings = strings(start, most: number, in: text)
    guard strings.count == number, var value = strings.last else { return }
    // `btoa("ada:abc")`
    if number == 1, let colon = text.first(UInt8(ascii: ":"), in: value) { value = colon + 1..<value.upperBound }
    guard number > 1 || Self.isNoWord(text.bytes(value)) else { return }
    take(Name(range: start..<start, verdict: .secret), word: value, in: text, found)
  }

  /// The passwords among the parameters of a method: `{"method": "login", "params": ["ada", "abc"]}` (JSON-RPC 2.0 §4).
  func arguments(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let open = opening(before: start, within: 1024, in: text) else { return }
    eachMember(of: open, in: text, within: 4096) { title, value in
      guard Self.lists.contains(text, title), let list = elements(of: value, in: text) else { return nil }
      for element in list.ranges where text[element.lowerBound] == UInt8(ascii: "\"") {
        let content = element.dropFirst().dropLast()
        let bytes = text.bytes(content)
        guard Self.isNoWord(bytes), !bytes.contains(UInt8(ascii: "@")) || bytes.contains(0x21),
          !bytes.starts(with: "0x".utf8) || bytes.count != 42
        else { continue }
        take(Name(range: title, verdict: .secret, isPair: true), content, bytes, in: text, found)
      }
      return nil
    }
  }

  /// The third parameter of a call of XML-RPC: behind the blog and the user, the password.
  func third(after start: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    let part = text.bytes(start..<min(text.count, start + 1024))
    var at = 0
    for _ in 0..<3 {
      guard let value = part.firstIndex(of: Self.value, from: at) else { return }
      at = value + Self.value.count
    }
    _ = marked(Name(range: start..<start, verdict: .secret), start + at, in: text, mayFollow: true, found)
  }

  private static let value = Array("<value>".utf8)
  private static let lists = NameSet(["params", "args"])

  /// The secret that Vault gives: what stands under its names, which can be any.
  func lease(before end: Int, in text: ByteSearch, _ found: (Found) -> Void) {
    guard let open = opening(before: end, within: 1024, in: text) else { return }
    func data(_ open: Int, _ use: (Int) -> Void) {
      guard text.at(open) == UInt8(ascii: "{") else { return }
      eachMember(of: open, in: text, within: 2048) { title, value in
        if Self.data.contains(text, title) { use(value) }
        return nil
      }
    }
    data(open) { outer in
      data(outer) { inner in
        guard text.at(inner) == UInt8(ascii: "{") else { return }
        eachMember(of: inner, in: text, within: 8192) { title, value in
          guard text[value] == UInt8(ascii: "\"") else { return nil }
          return string(Name(range: title, verdict: .secret, isPair: true), value, in: text, found)
        }
      }
    }
  }

  private static let data = NameSet(["data"])
}
