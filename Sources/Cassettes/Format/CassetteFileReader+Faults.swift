/// Reading the delays and faults of an answer.
extension CassetteFileReader {
  /// A number of seconds, or a text such as `recorded` and `20ms..80ms`.
  mutating func readDelay(_ bytes: Span<UInt8>, _ what: String) throws(CassetteError) -> Latency? {
    let start = at
    if isAt(UInt8(ascii: "\""), bytes) {
      guard let text = try readText(bytes, what) else { return nil }
      if let latency = Latency(text) { return latency }
      try report(
        bytes, start, "\(what) must be a number of seconds, \"recorded\", \"fitted\", \"20ms..80ms\" or \"80ms~0.4\"",
        question(about: text, among: ["recorded", "fitted"]))
      return nil
    }
    let found = problems.count + omitted
    try readSeconds(bytes, what, atMost: Self.longestPause)
    guard found == problems.count + omitted else { return nil }
    return Double(MemberWalk.token(at: start, in: bytes)).map { .seconds($0) }
  }

  /// A kind of fault, or an object that says when, too.
  mutating func readFault(_ bytes: Span<UInt8>) throws(CassetteError) -> (ReplayRules.Fault?, FaultTerms) {
    var terms = FaultTerms()
    guard isAt(UInt8(ascii: "{"), bytes) else {
      return (try readChoice(bytes, "\"fault\"", as: ReplayRules.Fault.self), terms)
    }
    let start = at
    at += 1
    var kind: ReplayRules.Fault?
    var walk = ObjectWalk(Object.fault)
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .kind: kind = try readChoice(bytes, "\"kind\"", as: ReplayRules.Fault.self)
      case .probability:
        let value = at
        if let token = try readNumber(bytes, "\"probability\"", "a number from 0 to 1") {
          terms.probability = Double(token)
          if !(0...1).contains(terms.probability ?? -1) {
            try report(bytes, value, "\"probability\" must be a number from 0 to 1")
          }
        }
      case .first: terms.first = try readCount(bytes, "\"first\"", atLeast: 0)
      case .every: terms.every = try readCount(bytes, "\"every\"", atLeast: 1)
      case .after: terms.after = try readCount(bytes, "\"after\"", atLeast: 0)
      }
    }
    if walk.lacks(.kind) { try report(bytes, start, "the \"kind\" of \"fault\" is missing") }
    return (kind, terms)
  }

  mutating func readCount(_ bytes: Span<UInt8>, _ what: String, atLeast least: Int) throws(CassetteError) -> Int? {
    let start = at
    let kind = "a whole number, \(least) or more"
    guard let token = try readNumber(bytes, what, kind) else { return nil }
    guard let count = Int(token), count >= least else {
      try report(bytes, start, "\(what) must be \(kind)")
      return nil
    }
    return count
  }
}
