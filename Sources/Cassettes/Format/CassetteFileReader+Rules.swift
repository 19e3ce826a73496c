internal import CassetteHTTP

/// Failures, recorded facts, and how an interaction plays.
extension CassetteFileReader {
  mutating func readFailure(_ bytes: Span<UInt8>, _ record: inout CassetteFileRecord) throws(CassetteError) {
    let start = at
    guard var walk = try open(bytes, "\"failure\"", Object.failure) else { return }
    record.failure = UInt32(start)
    var name: (offset: Int, text: String)?
    while let key = try nextKey(bytes, &walk) {
      let value = at
      switch key {
      case .code:
        if let token = try readNumber(bytes, "\"code\"", "a whole number"), Int32(token) == nil {
          try report(bytes, value, "\"code\" must be a whole number, as URLError has")
        }
      case .name:
        if let text = try readText(bytes, "\"name\"") { name = (value, text) }
      }
    }
    guard walk.lacks(.code) else { return }
    guard walk.has(.name) else {
      return try report(bytes, start, "\"failure\" must have a \"code\", a \"name\" or both")
    }
    guard let name, RecordedFailure.code(named: name.text) == nil else { return }
    try report(
      bytes, name.offset, "\"\(name.text)\" is not one of URLError's codes, and there is no \"code\"",
      question(about: name.text, among: RecordedFailure.names))
  }

  mutating func readRecorded(_ bytes: Span<UInt8>, _ record: inout CassetteFileRecord) throws(CassetteError) {
    let start = at
    guard var walk = try open(bytes, "\"recorded\"", Object.recorded) else { return }
    record.recorded = UInt32(start)
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .at:
        let value = at
        if let text = try readText(bytes, "\"at\""), !Timestamp.isOne(text) {
          try report(bytes, value, "\"at\" must be a time such as \"2026-11-21T01:00:00Z\" (RFC 3339)")
        }
      case .firstByte: try readSeconds(bytes, "\"firstByte\"")
      case .total: try readSeconds(bytes, "\"total\"")
      case .by: _ = try readString(bytes, "\"by\"")
      case .cut: _ = try readFlag(bytes, "\"cut\"")
      }
    }
  }

  mutating func readReplay(
    _ bytes: Span<UInt8>, _ record: inout CassetteFileRecord
  ) throws(CassetteError) -> ReplayRules {
    var rules = ReplayRules()
    guard var walk = try open(bytes, "\"replay\"", Object.replay) else { return rules }
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .repeat: record.repeatPolicy = try readChoice(bytes, "\"repeat\"", as: RepeatPolicy.self) ?? .last
      case .order: rules.order = try readChoice(bytes, "\"order\"", as: ReplayRules.Order.self)
      case .delay: rules.delay = try readDelay(bytes, "\"delay\"")
      case .chunkDelay: rules.chunkDelay = try readDelay(bytes, "\"chunkDelay\"")
      case .bytesPerSecond: rules.bytesPerSecond = try readCount(bytes, "\"bytesPerSecond\"", atLeast: 1)
      case .fault: (rules.fault, rules.faultTerms) = try readFault(bytes)
      case .when: rules.when = try readStates(bytes, "\"when\"")
      case .then: rules.then = try readStates(bytes, "\"then\"")
      }
    }
    return rules
  }

  /// Scenarios and the state of each.
  private mutating func readStates(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> [ReplayRules.State] {
    var states: [ReplayRules.State] = []
    guard try open(bytes, what) else { return states }
    var seen: Set<String> = []
    while let (name, _) = try nextName(bytes, &seen) {
      guard let state = try readText(bytes, "the state of \"\(name)\"") else { continue }
      states.append(ReplayRules.State(name, state))
    }
    return states
  }
}
