import JSONText

/// Failures, recorded facts, and the rules a later version will honour.
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
        if let quote = try readString(bytes, "\"name\"") {
          name = (value, CassetteFileSource.text(at: quote, in: bytes))
        }
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
        if let quote = try readString(bytes, "\"at\""),
          !CassetteFileGrammar.isTimestamp(CassetteFileSource.text(at: quote, in: bytes))
        {
          try report(bytes, value, "\"at\" must be a time such as \"2026-11-21T01:00:00Z\" (RFC 3339)")
        }
      case .firstByte: try readSeconds(bytes, "\"firstByte\"")
      case .total: try readSeconds(bytes, "\"total\"")
      case nil: break
      }
    }
  }

  mutating func readReplay(_ bytes: Span<UInt8>, _ record: inout CassetteFileRecord) throws(CassetteError) {
    guard try open(bytes, "\"replay\"") else { return }
    var walk = ObjectWalk(.replay)
    while let key = try nextKey(bytes, &walk).map(CassetteFileKeys.Replay.init(rawValue:)) {
      switch key {
      case .repeat:
        record.repeatPolicy = try readChoice(bytes, "\"repeat\"", as: RepeatPolicy.self) ?? .last
      case .delay, .fault, .when, .then:
        try refuse(bytes, "replay", walk)
        try skipValue(bytes)
      case nil: break
      }
    }
  }

  /// Steps over rules this version cannot honour, and says so: answering as if they were not there would be wrong.
  mutating func refuseRules(_ bytes: Span<UInt8>) throws(CassetteError) {
    guard try open(bytes, "\"match\"") else { return }
    var walk = ObjectWalk(.match)
    while let key = try nextKey(bytes, &walk).map(CassetteFileKeys.Match.init(rawValue:)) {
      let found = problems.count + omitted
      // A mistyped key inside is named instead of the rule.
      switch key {
      case .body where isAt(UInt8(ascii: "{"), bytes):
        try checkKeys(bytes, .matchBody)
      case .query where isAt(UInt8(ascii: "{"), bytes), .headers where isAt(UInt8(ascii: "{"), bytes):
        try checkConditions(bytes)
      default:
        try skipValue(bytes)
      }
      if found == problems.count + omitted { try refuse(bytes, "match", walk) }
    }
  }

  private mutating func refuse(_ bytes: Span<UInt8>, _ parent: String, _ walk: ObjectWalk) throws(CassetteError) {
    let name = "\(parent).\(walk.keys.names[walk.last])"
    try report(
      bytes, walk.keyStart, "\"\(name)\" is not supported yet; remove it or play the cassette with a later version")
  }

  private mutating func checkKeys(_ bytes: Span<UInt8>, _ keys: CassetteFileKeys) throws(CassetteError) {
    at += 1
    var walk = ObjectWalk(keys)
    while try nextKey(bytes, &walk) != nil { try skipValue(bytes) }
  }

  /// Names of any kind, whose values may be objects of conditions.
  private mutating func checkConditions(_ bytes: Span<UInt8>) throws(CassetteError) {
    let start = at
    try skipValue(bytes)
    let end = at
    var conditions: [Int] = []
    MemberWalk.each(in: bytes, at: start) { _, value in
      if bytes[value] == UInt8(ascii: "{") { conditions.append(value) }
    }
    for condition in conditions {
      at = condition
      try checkKeys(bytes, .matchValue)
    }
    at = end
  }
}
