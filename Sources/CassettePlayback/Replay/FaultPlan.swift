import CassetteHTTP
internal import CassetteSystem
import Cassettes

/// The faults of a deck; each session counts how often each fault has applied.
struct FaultPlan: Sendable {
  private struct Rule {
    let fault: CassetteFault
    /// True if the rule belongs to the settings, which may be replaced.
    var isSetting = false
    /// The unique number of the rule.
    var number = 0
    /// True if the rule has matched any request.
    var wasMet = false
  }

  private var rules: [Rule] = []
  private var last = 0

  var isEmpty: Bool { rules.isEmpty }

  mutating func append(_ faults: [CassetteFault]) { append(faults, isSetting: false) }

  /// Replaces the faults of the settings, and resets their counts.
  mutating func replaceSettings(by faults: [CassetteFault]) {
    rules.removeAll(where: \.isSetting)
    append(faults, isSetting: true)
  }

  private mutating func append(_ faults: [CassetteFault], isSetting: Bool) {
    for fault in faults {
      rules.append(Rule(fault: fault, isSetting: isSetting, number: last))
      last += 1
    }
  }

  /// The source of random numbers, for faults with a probability.
  struct Chance {
    let settings: PlaybackSettings
    let session: String

    /// Returns a random number in 0..<1 for the nth time that a fault could apply to a request.
    func fraction(_ request: HTTPRequest, _ turn: Int, _ rule: Int) -> Double {
      var random = SeededRandom(settings, session, request, "fault \(rule) \(turn)")
      return random.fraction()
    }
  }

  /// The faults that matched no request.
  var neverMet: [CassetteFault] { rules.filter { !$0.wasMet }.map(\.fault) }

  /// Returns true for a CORS preflight, to which no fault applies: tests mean the actual request (Fetch §4.8).
  private static func isPreflight(_ request: HTTPRequest) -> Bool {
    request.method == .options && request.headers.contains("Access-Control-Request-Method")
  }

  /// Returns the fault that replaces the answer, with its response and delay; nil if no fault replaces it.
  mutating func interruption(
    of request: HTTPRequest, _ cursor: inout PlaybackCursor, _ chance: Chance
  ) -> (fault: CassetteFault, response: PlayedResponse)? {
    guard !Self.isPreflight(request),
      let fault = take(request, &cursor, chance, where: \.takesPlace, atMost: 1).first,
      var response = fault.response(to: request)
    else { return nil }
    let delays = take(request, &cursor, chance) { if case .latency = $0.effect { true } else { false } }
    response.delay = CassetteFault.delay(of: delays)
    return (fault, response)
  }

  /// Returns the faults that change the deck's answer.
  mutating func alterations(
    of request: HTTPRequest, _ cursor: inout PlaybackCursor, _ chance: Chance
  ) -> [CassetteFault] {
    Self.isPreflight(request) ? [] : take(request, &cursor, chance) { !$0.takesPlace }
  }

  private mutating func take(
    _ request: HTTPRequest, _ cursor: inout PlaybackCursor, _ chance: Chance, where applies: (CassetteFault) -> Bool,
    atMost limit: Int = .max
  ) -> [CassetteFault] {
    var taken: [CassetteFault] = []
    for index in rules.indices where applies(rules[index].fault) {
      let fault = rules[index].fault
      if let pattern = fault.pattern, !pattern.matches(request) { continue }
      rules[index].wasMet = true
      if taken.count >= limit { continue }
      let number = rules[index].number
      let turn = cursor.turn(of: number, for: request, fault.terms)
      guard fault.terms.apply(turn: turn, chance: chance.fraction(request, turn, number)) else { continue }
      taken.append(fault)
    }
    return taken
  }
}

extension CassetteFault {
  /// True if the fault replaces the answer.
  var takesPlace: Bool {
    switch effect {
    case .failure, .response: true
    case .latency, .recordedLatency, .cut, .rate: false
    }
  }

  static func delay(of faults: [CassetteFault]) -> Double {
    faults.reduce(0) { if case .latency(let seconds) = $1.effect { $0 + seconds } else { $0 } }
  }

  /// Returns the response that replaces the answer; nil if the fault only changes the answer.
  func response(to request: HTTPRequest) -> PlayedResponse? {
    switch effect {
    case .failure(let failure): return PlayedResponse(failure)
    case .response(let response):
      var played = PlayedResponse(response)
      if request.method == .head || !response.status.allowsContent { played.body = .length(nil) }
      return played
    case .latency, .recordedLatency, .cut, .rate: return nil
    }
  }
}
