/// The members of `replay`, including `repeat` and the fault with its terms.
struct ReplayObject: Hashable, Sendable {
  var rules = ReplayRules()
  var repeatPolicy = RepeatPolicy.last

  var fault: FaultObject? {
    get { rules.fault.map { FaultObject(kind: $0, terms: rules.faultTerms) } }
    set { (rules.fault, rules.faultTerms) = (newValue?.kind, newValue?.terms ?? FaultTerms()) }
  }
}

/// A fault and its terms.
struct FaultObject: Hashable, Sendable {
  var kind = CassetteFault.Kind.reset
  var terms = FaultTerms()
}

extension Kind where Value == FaultObject {
  /// The name of a fault, or an object with its terms.
  static var fault: Kind {
    let kind = Kind<CassetteFault.Kind>.choice()
    return Kind("\"anyOf\": [{ \(kind.schema) }, { \(reference("fault")) }]") {
      reader, bytes, what throws(CassetteError) in
      var fault = FaultObject()
      if reader.isAt(UInt8(ascii: "{"), bytes) {
        return try reader.read(bytes, what, Grammar.fault, into: &fault) ? fault : nil
      }
      return try kind.read(&reader, bytes, what).map { FaultObject(kind: $0) }
    } write: { writer, fault throws(CassetteError) in
      if fault.terms.isEmpty { return try kind.write(&writer, fault.kind) }
      try writer.write(Grammar.fault, fault)
    }
  }
}

extension Kind where Value == Latency {
  /// A number of seconds, or a string such as `recorded` and `20ms..80ms`.
  static var latency: Kind {
    let seconds = Kind<Double>.seconds(atMost: Latency.longest)
    return Kind(reference("latency")) { reader, bytes, what throws(CassetteError) in
      let start = reader.at
      guard reader.isAt(UInt8(ascii: "\""), bytes) else {
        return try seconds.read(&reader, bytes, what).map { .seconds($0) }
      }
      guard let text = try reader.readText(bytes, what) else { return nil }
      if let latency = Latency(text) { return latency }
      try reader.report(
        bytes, start, "\(what) must be a number of seconds, \"recorded\", \"fitted\", \"20ms..80ms\" or \"80ms~0.4\"",
        question(about: text, among: ["recorded", "fitted"]))
      return nil
    } write: { writer, latency throws(CassetteError) in
      if case .seconds(let seconds) = latency { return writer.number(seconds) }
      writer.append(latency.text)
    }
  }
}

extension Kind where Value == [ReplayRules.State] {
  /// Scenarios with a state for each.
  static var states: Kind {
    Kind(#""type": "object", "additionalProperties": { "type": "string" }"#) {
      reader, bytes, what throws(CassetteError) in
      var states: [ReplayRules.State] = []
      guard try reader.open(bytes, what) else { return nil }
      var seen: Set<String> = []
      while let (name, _) = try reader.nextName(bytes, &seen) {
        guard let state = try reader.readText(bytes, "the state of \"\(name)\"") else { continue }
        states.append(ReplayRules.State(name, state))
      }
      return states
    } write: { writer, states throws(CassetteError) in
      writer.open("{", inLine: true)
      for state in states { writer.member(state.scenario, state.state) }
      writer.close("}")
    }
  }
}
