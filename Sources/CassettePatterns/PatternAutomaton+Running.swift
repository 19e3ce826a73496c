internal import CassetteSystem

/// Runs an automaton over a text, and skips parts that cannot change the result.
extension PatternAutomaton {
  /// Matches a whole text.
  mutating func run(_ text: ConditionText, _ left: inout Int) -> Outcome {
    text.bytes.searching { run(text, $0, &left) }
  }

  private mutating func run(_ text: ConditionText, _ bytes: ByteSearch, _ left: inout Int) -> Outcome {
    var at = 0
    var entry = entry(of: 0)
    // The offset of the first character that the previous tail did not accept.
    var blocked = -1
    while left > 0 {
      let before = at
      var limit = bytes.count
      if at == bytes.count { return states[Int(entry >> 1)].isAccepting ? .matches : .differs }
      switch states[Int(entry >> 1)].shortcut {
      case .none: break
      case .dead: return .differs
      case .tail(let step):
        if at > blocked {
          guard let stranger = firstOutside(step, bytes, at..<bytes.count, &left) else { return .matches }
          blocked = stranger
        }
        limit = blocked
        if at == blocked { limit += 1 }
      case .search(let step, let literal):
        let found = text.first(literal, from: at)
        left -= ((found ?? bytes.count) - at) / 256
        guard let found, firstOutside(step, bytes, at..<found, &left) == nil else { return .differs }
        at = found
        limit = found + 1
      }
      let isWhole = limit == bytes.count
      let unknown = scan(bytes, &at, &entry, until: limit, stopsAtShortcuts: isWhole)
      left -= (at - before) / 16 + 1
      guard let unknown else { continue }
      guard let next = target(of: Int(entry >> 1), unknown, &left) else { return .gaveUp }
      table[Int(entry >> 1) * alphabet.count + unknown] = next
    }
    return .spent
  }

  /// Follows known transitions.
  ///
  /// Returns the symbol of an unknown transition, or nil if it stopped for another reason.
  private func scan(
    _ text: ByteSearch, _ at: inout Int, _ entry: inout Int32, until limit: Int, stopsAtShortcuts: Bool
  ) -> Int? {
    let width = alphabet.count
    return table.withUnsafeBufferPointer { table in
      alphabet.ascii.withUnsafeBufferPointer { ascii in
        while at < limit {
          let byte = text[at]
          var length = 1
          let symbol: Int
          if byte < 0x80 {
            symbol = Int(ascii[Int(byte)])
          } else {
            let scalar: UInt32
            (scalar, length) = text.scalar(at: at)
            symbol = alphabet.symbol(of: scalar)
          }
          let next = table[Int(entry >> 1) &* width &+ symbol]
          if next < 0 { return symbol }
          entry = next
          at += length
          if stopsAtShortcuts, next & 1 == 1 { return nil }
        }
        return nil
      }
    }
  }

  /// Returns the offset of the first character in a range that a loop does not accept.
  private func firstOutside(_ step: Int, _ text: ByteSearch, _ range: Range<Int>, _ left: inout Int) -> Int? {
    guard let strangers = strangers[step], !strangers.isEmpty else { return nil }
    if strangers.count > 4 {
      var at = range.lowerBound
      while at < range.upperBound {
        let (scalar, length) = text.scalar(at: at)
        if !takes(step, alphabet.symbol(of: scalar)) { break }
        at += length
      }
      left -= (at - range.lowerBound) / 16
      return at < range.upperBound ? at : nil
    }
    left -= range.count / 256
    var end = range.upperBound
    for byte in strangers {
      var at = range.lowerBound
      while at < end, let place = text.first(byte, in: at..<end) {
        left -= 1
        if !takes(step, alphabet.symbol(of: text.scalar(at: place).scalar)) { end = place }
        at = place + 1
      }
    }
    return end < range.upperBound ? end : nil
  }
}
