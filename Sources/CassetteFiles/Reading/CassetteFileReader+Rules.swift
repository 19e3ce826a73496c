internal import Cassettes

/// Failures, recorded facts, and how an interaction plays.
extension CassetteFileReader {
  mutating func readFailure(_ bytes: Span<UInt8>, _ record: inout CassetteFileRecord) throws(CassetteError) {
    let start = at
    guard try open(bytes, "\"failure\"") else { return }
    record.failure = UInt32(start)
    typealias Key = CassetteFileKeys.Failure
    var walk = ObjectWalk(.failure)
    var name: (offset: Int, text: String)?
    while let key = try nextKey(bytes, &walk).map(Key.init(rawValue:)) {
      let value = at
      switch key {
      case .code:
        if let token = try readNumber(bytes, "\"code\"", "a whole number"), Int32(token) == nil {
          try report(bytes, value, "\"code\" must be a whole number, as URLError has")
        }
      case .name:
        if let text = try readText(bytes, "\"name\"") { name = (value, text) }
      case nil: break
      }
    }
    guard walk.lacks(Key.code) else { return }
    guard walk.has(Key.name) else {
      return try report(bytes, start, "\"failure\" must have a \"code\", a \"name\" or both")
    }
    guard let name, RecordedFailure.code(named: name.text) == nil else { return }
    let meant = nearest(to: name.text, among: RecordedFailure.names)
    try report(
      bytes, name.offset, "\"\(name.text)\" is not one of URLError's codes, and there is no \"code\"",
      meant.map { "did you mean \"\($0)\"?" })
  }

  mutating func readRecorded(_ bytes: Span<UInt8>, _ record: inout CassetteFileRecord) throws(CassetteError) {
    let start = at
    guard try open(bytes, "\"recorded\"") else { return }
    record.recorded = UInt32(start)
    var walk = ObjectWalk(.recorded)
    while let key = try nextKey(bytes, &walk).map(CassetteFileKeys.Recorded.init(rawValue:)) {
      switch key {
      case .at:
        let value = at
        if let text = try readText(bytes, "\"at\""), !CassetteFileGrammar.isTimestamp(text) {
          try report(bytes, value, "\"at\" must be a time such as \"2026-11-21T01:00:00Z\" (RFC 3339)")
        }
      case .firstByte: try readSeconds(bytes, "\"firstByte\"")
      case .total: try readSeconds(bytes, "\"total\"")
      case .by: _ = try readString(bytes, "\"by\"")
      case .cut: _ = try readFlag(bytes, "\"cut\"")
      case nil: break
      }
    }
  }

  mutating func readReplay(
    _ bytes: Span<UInt8>, _ record: inout CassetteFileRecord
  ) throws(CassetteError) -> ReplayRules {
    var rules = ReplayRules()
    guard try open(bytes, "\"replay\"") else { return rules }
    var walk = ObjectWalk(.replay)
    while let key = try nextKey(bytes, &walk).map(CassetteFileKeys.Replay.init(rawValue:)) {
      switch key {
      case .repeat: record.repeatPolicy = try readChoice(bytes, "\"repeat\"", as: RepeatPolicy.self) ?? .last
      case .order: rules.order = try readChoice(bytes, "\"order\"", as: ReplayRules.Order.self)
      case .delay: rules.delay = try readDelay(bytes, "\"delay\"")
      case .chunkDelay: rules.chunkDelay = try readDelay(bytes, "\"chunkDelay\"")
      case .bytesPerSecond: rules.bytesPerSecond = try readCount(bytes, "\"bytesPerSecond\"", atLeast: 1)
      case .fault: (rules.fault, rules.faultTerms) = try readFault(bytes)
      case .when: rules.when = try readStates(bytes, "\"when\"")
      case .then: rules.then = try readStates(bytes, "\"then\"")
      case nil: break
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
