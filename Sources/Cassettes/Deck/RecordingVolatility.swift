import HTTP
import JSONText

/// Tells what of an answer differs each time although nothing has changed, and gives it the text it had.
///
/// Nothing that may be data is among it. A header field differs each time when its name says so, or when the same
/// request, which only reads, was seen to get the same body with another value. A value in JSON does when it is
/// - a time that moves with the clock: as far from its own recording's time as it was from the other's;
/// - of a name that says so (`request_id`, `trace_id`), or a counter of a rate limit;
/// - a random id or a time that was seen to change between two answers to the same request that agree in all else.
/// What some request says again is never among it: it means something.
struct RecordingVolatility: Sendable {
  /// A request, and a place in its answer in which elements of arrays are not told apart.
  private struct Place: Hashable {
    var request: String
    var path: [JSONPath.Step]
  }

  private var learnedFields: Set<String> = []
  private var learnedPlaces: Set<Place> = []
  /// Everything that requests say, to be searched.
  private var said: [[UInt8]] = []

  /// Fields whose value is what the answer says, however often it changes.
  private static let meaningful: Set<String> = [
    "location", "content-location", "link", "content-type", "content-language", "content-encoding",
    "content-disposition", "content-range", "accept-ranges", "allow", "vary", "cache-control", "www-authenticate",
    "set-cookie", "last-modified",
  ]
  /// Fields that a body can be checked against: it stays as it is then.
  private static let digests = ["content-digest", "repr-digest", "digest", "content-md5", "x-amz-content-sha256"]
  /// Longer bodies are not looked through.
  private static let longest = 4 << 20

  init() {}

  /// Learns from exchanges in the order in which they were made, redacted.
  ///
  /// - Parameter sessions: Those of one recording, and those of another.
  init(learningFrom sessions: [Interaction]...) {
    for session in sessions {
      var last: [String: Interaction] = [:]
      for interaction in session {
        said.append(Array(interaction.url.utf8))
        for field in interaction.requestHeaders { said.append(Array(field.value.utf8)) }
        if let body = try? interaction.requestBody?.bytes(), !body.isEmpty { said.append(body) }
        guard interaction.method.isSafe, interaction.status != nil else { continue }
        let key = Self.key(of: interaction)
        if let before = last[key], RecordingComparison.isSameRequest(before, interaction) {
          learn(from: before, interaction, key)
        }
        last[key] = interaction
      }
    }
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(interaction.url)"
  }

  private mutating func learn(from before: Interaction, _ after: Interaction, _ key: String) {
    guard let old = before.response, let new = after.response, old.status == new.status,
      let oldBody = Self.bytes(of: old), let newBody = Self.bytes(of: new)
    else { return }
    if ByteSearch.isSame(oldBody, newBody) {
      for field in new.headers {
        let name = field.name.lowercased()
        guard !Self.meaningful.contains(name), old.headers.contains(name),
          old.headers.values(of: name) != new.headers.values(of: name)
        else { continue }
        learnedFields.insert(name)
      }
      return
    }
    guard let walk = JSONWalk(oldBody, newBody), walk.isSameOtherwise,
      walk.changes.allSatisfy({ GeneratedValue.isRandom($0.old) && GeneratedValue.isRandom($0.new) || $0.areTimes })
    else { return }
    for change in walk.changes { learnedPlaces.insert(Place(request: key, path: Self.general(change.path))) }
  }

  // MARK: settling

  /// Gives what differs each time the text it had.
  ///
  /// - Parameters:
  ///   - new: The exchange as it was recorded again.
  ///   - old: The exchange that was kept.
  func settle(_ new: inout Interaction, like old: Interaction) {
    new.requestHeaders = settled(new.requestHeaders, like: old.requestHeaders, knowing: [])
    guard case .response(var response) = new.outcome, let before = old.response else { return }
    response.headers = settled(response.headers, like: before.headers, knowing: learnedFields)
    response.trailers = settled(response.trailers, like: before.trailers, knowing: learnedFields)
    if let body = settledBody(response, of: new, like: before, of: old) { response.body = .storing(body) }
    new.outcome = .response(response)
  }

  private func settled(_ headers: HTTPHeaders, like old: HTTPHeaders, knowing learned: Set<String>) -> HTTPHeaders {
    var taken: [String: Int] = [:]
    return HTTPHeaders(
      fields: headers.map { field in
        let name = field.name.lowercased()
        let isLearned = learned.contains(name) && !isSaid(Array(field.value.utf8))
        guard isLearned || RecordingComparison.isVolatile(name) else { return field }
        let values = old.values(of: name)
        guard values.count == headers.values(of: name).count else { return field }
        let index = taken[name, default: 0]
        taken[name] = index + 1
        return HTTPHeaders.Field(name: field.name, value: values[index])
      })
  }

  /// The new body with the old text in places that differ each time; nil when there is nothing to do.
  private func settledBody(
    _ response: RecordedResponse, of new: Interaction, like before: RecordedResponse, of old: Interaction
  ) -> [UInt8]? {
    guard response.status == before.status, !Self.digests.contains(where: response.headers.contains),
      let oldBody = Self.bytes(of: before), let newBody = Self.bytes(of: response),
      !ByteSearch.isSame(oldBody, newBody), let walk = JSONWalk(oldBody, newBody)
    else { return nil }
    if case .chunks? = response.body?.form { return nil }
    let key = Self.key(of: new)
    let times = (Self.time(of: old), Self.time(of: new))
    var result: [UInt8] = []
    var at = 0
    for change in walk.changes {
      let isVolatile =
        Self.movesWithClock(change, times) || change.isNamedVolatile
        || learnedPlaces.contains(Place(request: key, path: Self.general(change.path)))
      guard isVolatile, !isSaid(change.new) else { continue }
      result += newBody[at..<change.range.lowerBound]
      result += change.oldToken
      at = change.range.upperBound
    }
    return at == 0 ? nil : result + newBody[at...]
  }

  /// Whether a time is about when the answer was made: each is as far from its own recording's time as the other.
  private static func movesWithClock(_ change: JSONWalk.Change, _ recorded: (old: Double?, new: Double?)) -> Bool {
    guard let old = GeneratedValue.seconds(change.old), let new = GeneratedValue.seconds(change.new),
      let before = recorded.old, let after = recorded.new
    else { return false }
    let (first, second) = (old - before, new - after)
    // A minute: answers are made a while before they come, and clocks differ.
    if abs(first) <= 60, abs(second) <= 60 { return true }
    // When something ends: an hour after each. Not a time that lies still, in two recordings soon after each other.
    return abs(first - second) <= min(5, abs(after - before) / 2)
  }

  private static func time(of interaction: Interaction) -> Double? {
    interaction.recorded?.at.flatMap { GeneratedValue.seconds(Array($0.utf8)) }
  }

  /// Whether some request says it: short values are everywhere, and long ones mean something then.
  private func isSaid(_ value: [UInt8]) -> Bool {
    value.count >= 6 && said.contains { $0.firstIndex(of: value, from: 0) != nil }
  }

  private static func general(_ path: [JSONPath.Step]) -> [JSONPath.Step] {
    path.map { step in if case .element = step { .element(0) } else { step } }
  }

  private static func bytes(of response: RecordedResponse) -> [UInt8]? {
    guard let body = response.body else { return [] }
    guard let bytes = try? body.bytes(), bytes.count <= longest else { return nil }
    return bytes
  }
}
