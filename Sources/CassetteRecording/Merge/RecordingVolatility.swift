import CassetteHTTP
import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// Tells what of an answer differs each time although nothing has changed, and gives it the text it had.
///
/// Nothing that may be data is among it. A header field differs each time when its name says so, when the same request,
/// which only reads, was seen to get the same body with another value, when it is a time that moves with the clock, or
/// when status and body are as they were and its value is a random id: a UUID, or one that no two answers had in common.
/// A value in JSON does when it is
/// - a time that moves with the clock: as far from its own recording's time as it was from the other's;
/// - of a name that says so (`request_id`, `trace_id`), or a counter of a rate limit;
/// - a random id or a time that was seen to change between two answers to the same request that agree in all else.
/// A value that some request sends again is never among them: it means something.
struct RecordingVolatility: Sendable {
  /// A request, and a place in its answer in which elements of arrays are not told apart.
  private struct Place: Hashable {
    var request: String
    var path: [JSONPath.Step]
  }

  private var learnedFields: Set<String> = []
  private var learnedPlaces: Set<Place> = []
  /// Fields whose values were random ids, and of which no two answers of one recording had the same.
  private var randomFields: Set<String> = []
  /// Everything that requests say, to be searched.
  private var said: [[UInt8]] = []

  /// Fields whose value is what the answer says, however often it changes.
  private static let meaningful: Set<String> = [
    "location", "content-location", "link", "content-type", "content-language", "content-encoding",
    "content-disposition", "content-range", "accept-ranges", "allow", "vary", "cache-control", "www-authenticate",
    "set-cookie", "last-modified", "etag",
  ]
  /// The fields among those above that a session can show to differ each time.
  private static let learnable: Set<String> = ["etag"]
  /// Fields that a body can be checked against: it stays as it is then.
  private static let digests = ["content-digest", "repr-digest", "digest", "content-md5", "x-amz-content-sha256"]
  /// The most answers to one request that are compared: more would teach nothing new.
  private static let pairs = 16
  /// The most bytes of a body that is looked through.
  private static let longest = 4 << 20

  init() {}

  /// Learns from exchanges in the order in which they were made, redacted.
  ///
  /// - Parameter sessions: Those of one recording, and those of another.
  init(learningFrom sessions: [Interaction]...) {
    for session in sessions {
      var last: [String: (interaction: Interaction, pairs: Int)] = [:]
      var values: [String: (count: Int, distinct: Set<String>)] = [:]
      for interaction in session {
        said.append(Array(interaction.url.utf8))
        for field in interaction.requestHeaders { said.append(Array(field.value.utf8)) }
        if let body = Self.bytes(of: interaction.requestBody), !body.isEmpty { said.append(body) }
        for field in interaction.response?.headers ?? [] where GeneratedValue.isRandom(Array(field.value.utf8)) {
          let name = field.name.lowercased()
          values[name, default: (0, [])].count += 1
          values[name]?.distinct.insert(field.value)
        }
        guard interaction.method.isSafe, interaction.status != nil else { continue }
        let key = Self.key(of: interaction)
        let before = last[key]
        if let before, before.pairs < Self.pairs,
          RecordingComparison.isSameRequest(before.interaction, interaction)
        {
          learn(from: before.interaction, interaction, key)
        }
        last[key] = (interaction, (before?.pairs ?? -1) + 1)
      }
      for (name, seen) in values where seen.count > 1 && seen.distinct.count == seen.count { randomFields.insert(name) }
    }
  }

  private static func key(of interaction: Interaction) -> String {
    "\(interaction.method.rawValue) \(interaction.url)"
  }

  private mutating func learn(from before: Interaction, _ after: Interaction, _ key: String) {
    guard let old = before.response, let new = after.response, old.status == new.status,
      let oldBody = Self.bytes(of: old.body), let newBody = Self.bytes(of: new.body)
    else { return }
    if ByteSearch.isSame(oldBody, newBody) {
      for field in new.headers {
        let name = field.name.lowercased()
        guard !Self.meaningful.contains(name) || Self.learnable.contains(name), old.headers.contains(name),
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
    let times = (Self.time(of: old), Self.time(of: new))
    new.requestHeaders = settled(new.requestHeaders, like: old.requestHeaders) { name, _, _ in
      RecordingComparison.isVolatile(name)
    }
    guard case .response(var response) = new.outcome, let before = old.response else { return }
    if let body = settledBody(response, of: new, like: before, of: old) {
      response.body = .storing(body)
      // A time that stays is as far from this one as it was: beside a later one it would be a change the next time.
      if let time = old.recorded?.at { new.recorded?.at = time }
    }
    let isSame =
      response.status == before.status
      && Self.bytes(of: response.body).map { $0 == Self.bytes(of: before.body) } ?? false
    let differs = { (name: String, old: String, new: String) in
      RecordingComparison.isVolatile(name)
        || isVolatile(field: name, old: Array(old.utf8), new: Array(new.utf8), times, isSame: isSame)
    }
    response.headers = settled(response.headers, like: before.headers, differs)
    response.trailers = settled(response.trailers, like: before.trailers, differs)
    new.outcome = .response(response)
  }

  private func settled(
    _ headers: HTTPHeaders, like old: HTTPHeaders, _ isVolatile: (_ name: String, _ old: String, _ new: String) -> Bool
  ) -> HTTPHeaders {
    var taken: [String: Int] = [:]
    return HTTPHeaders(
      fields: headers.map { field in
        let name = field.name.lowercased()
        let values = old.values(of: name)
        let index = taken[name, default: 0]
        taken[name] = index + 1
        guard values.count == headers.values(of: name).count, values[index] != field.value,
          isVolatile(name, values[index], field.value)
        else { return field }
        return HTTPHeaders.Field(name: field.name, value: values[index], isLatin1: field.isLatin1)
      })
  }

  private func isVolatile(
    field name: String, old: [UInt8], new: [UInt8], _ times: (old: Double?, new: Double?), isSame: Bool
  ) -> Bool {
    if isSaid(new) { return false }
    if learnedFields.contains(name) || Self.movesWithClock(old, new, times) { return true }
    guard isSame, !Self.meaningful.contains(name), GeneratedValue.isRandom(old), GeneratedValue.isRandom(new) else {
      return false
    }
    // Digits alone may be what was deployed: that is the same in all answers.
    return randomFields.contains(name) || new.contains(UInt8(ascii: "-"))
  }

  /// Returns the new body with the old values that change on every request; nil if other values changed, or none.
  ///
  /// If any other value changed, the new body is used unmodified: an old time or id would contradict the new values.
  private func settledBody(
    _ response: RecordedResponse, of new: Interaction, like before: RecordedResponse, of old: Interaction
  ) -> [UInt8]? {
    guard response.status == before.status, !Self.digests.contains(where: response.headers.contains),
      let oldBody = Self.bytes(of: before.body), let newBody = Self.bytes(of: response.body),
      !ByteSearch.isSame(oldBody, newBody), let walk = JSONWalk(oldBody, newBody)
    else { return nil }
    if case .chunks? = response.body?.form { return nil }
    let key = Self.key(of: new)
    let times = (Self.time(of: old), Self.time(of: new))
    var result: [UInt8] = []
    var at = 0
    for change in walk.changes {
      let isVolatile =
        Self.movesWithClock(change.old, change.new, times) || change.isNamedVolatile
        || learnedPlaces.contains(Place(request: key, path: Self.general(change.path)))
      guard isVolatile, !isSaid(change.new) else { continue }
      result += newBody[at..<change.range.lowerBound]
      result += change.oldToken
      at = change.range.upperBound
    }
    result += newBody[at...]
    let isOld = ByteSearch.isSame(oldBody, result) || RecordingComparison.isSameJSON(oldBody, result)
    return at > 0 && isOld ? result : nil
  }

  /// Tells whether a time is about when the answer was made: each is as far from its own recording's time as the other.
  private static func movesWithClock(
    _ old: [UInt8], _ new: [UInt8], _ recorded: (old: Double?, new: Double?)
  ) -> Bool {
    guard let old = GeneratedValue.seconds(old), let new = GeneratedValue.seconds(new),
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

  /// Tells whether some request says it: short values are everywhere, and long ones mean something then.
  private func isSaid(_ value: [UInt8]) -> Bool {
    value.count >= 6 && said.contains { $0.firstIndex(of: value, from: 0) != nil }
  }

  private static func general(_ path: [JSONPath.Step]) -> [JSONPath.Step] {
    path.map { step in if case .element = step { .element(0) } else { step } }
  }

  private static func bytes(of body: Body?) -> [UInt8]? {
    guard let body else { return [] }
    // One that lies in a file of its own is too long to be looked through, and may be too long for memory.
    if case .file = body.form { return nil }
    guard let bytes = try? body.bytes(), bytes.count <= longest else { return nil }
    return bytes
  }
}
