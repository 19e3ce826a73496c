import CassetteHTTP
import CassetteJSON
internal import CassetteMatching
internal import CassetteSystem
internal import Cassettes

/// Finds the volatile values in a response and restores their recorded text.
///
/// Values that may be data are never restored. A header field is volatile if its name indicates it, if the same safe
/// request was seen to get the same body with a different value, if it is a time that moves with the clock, or if
/// status and body are unchanged and the value is a random id: a UUID, or an id that no two responses had in common. A
/// JSON value is volatile if it is
/// - a time that moves with the clock, with the same distance to the time of recording as before;
/// - a member whose name indicates it (`request_id`, `trace_id`), or a counter of a rate limit;
/// - a random id or a time that was seen to change between two otherwise equal responses to the same request.
///
/// A value that a request contains is never volatile, because it has a meaning.
struct RecordingVolatility: Sendable {
  /// A request and a path in its response, in which all array elements are equal.
  private struct Place: Hashable {
    var request: String
    var path: [JSONPath.Step]
  }

  private var learnedFields: Set<String> = []
  private var learnedPlaces: Set<Place> = []
  /// The fields with random ids that differed among all responses of a recording.
  private var randomFields: Set<String> = []
  /// The content of all requests, to search for values.
  private var said: [[UInt8]] = []

  /// The fields whose value is a property of the response, even if it changes often.
  private static let meaningful: Set<String> = [
    "location", "content-location", "link", "content-type", "content-language", "content-encoding",
    "content-disposition", "content-range", "accept-ranges", "allow", "vary", "cache-control", "www-authenticate",
    "set-cookie", "last-modified", "etag",
  ]
  /// The fields among these that are volatile if a session shows that they change.
  private static let learnable: Set<String> = ["etag"]
  /// The fields with a digest of the body, which must not be modified then.
  private static let digests = ["content-digest", "repr-digest", "digest", "content-md5", "x-amz-content-sha256"]
  /// The maximum number of responses to one request that are compared.
  private static let pairs = 16
  /// The maximum length of a body that is compared, in bytes.
  private static let longest = 4 << 20

  init() {}

  /// Learns from redacted exchanges in the order in which they were recorded.
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
    guard let changes = ScalarChanges(from: oldBody, to: newBody), changes.isSameOtherwise,
      changes.list.allSatisfy({ GeneratedValue.isRandom($0.old) && GeneratedValue.isRandom($0.new) || $0.areTimes })
    else { return }
    for change in changes.list { learnedPlaces.insert(Place(request: key, path: Self.general(change.path))) }
  }

  // MARK: Restoring volatile values

  /// Restores the recorded text of volatile values.
  func settle(_ new: inout Interaction, like old: Interaction) {
    let times = (Self.time(of: old), Self.time(of: new))
    new.requestHeaders = settled(new.requestHeaders, like: old.requestHeaders) { name, _, _ in
      RecordingComparison.isVolatile(name)
    }
    guard case .response(var response) = new.outcome, let before = old.response else { return }
    if let body = settledBody(response, of: new, like: before, of: old) {
      response.body = .storing(body)
      // The recording's date is kept with its times, because their distance is compared in the next recording.
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
    // A value of digits alone may be a version number, which is the same in all responses.
    return randomFields.contains(name) || new.contains(UInt8(ascii: "-"))
  }

  /// Returns the new body with the old volatile values, or nil if other values changed or none is volatile.
  ///
  /// If any other value changed, the new body is used unmodified: an old time or id would contradict the new values.
  private func settledBody(
    _ response: RecordedResponse, of new: Interaction, like before: RecordedResponse, of old: Interaction
  ) -> [UInt8]? {
    guard response.status == before.status, !Self.digests.contains(where: response.headers.contains),
      let oldBody = Self.bytes(of: before.body), let newBody = Self.bytes(of: response.body),
      !ByteSearch.isSame(oldBody, newBody), let changes = ScalarChanges(from: oldBody, to: newBody)
    else { return nil }
    if case .chunks? = response.body?.form { return nil }
    let key = Self.key(of: new)
    let times = (Self.time(of: old), Self.time(of: new))
    var result: [UInt8] = []
    var at = 0
    for change in changes.list {
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

  /// True if a time depends on the time of recording: both values have the same distance to their recording's time.
  private static func movesWithClock(
    _ old: [UInt8], _ new: [UInt8], _ recorded: (old: Double?, new: Double?)
  ) -> Bool {
    guard let old = GeneratedValue.seconds(old), let new = GeneratedValue.seconds(new),
      let before = recorded.old, let after = recorded.new
    else { return false }
    let (first, second) = (old - before, new - after)
    // Up to a minute, because a response may be created earlier, and clocks differ.
    if abs(first) <= 60, abs(second) <= 60 { return true }
    // A later time, such as an expiration one hour later. A fixed time in two consecutive recordings is excluded.
    return abs(first - second) <= min(5, abs(after - before) / 2)
  }

  private static func time(of interaction: Interaction) -> Double? {
    interaction.recorded?.at.flatMap { GeneratedValue.seconds(Array($0.utf8)) }
  }

  /// True if a request contains the value; short values are ignored because they occur by chance.
  private func isSaid(_ value: [UInt8]) -> Bool {
    value.count >= 6 && said.contains { $0.firstIndex(of: value, from: 0) != nil }
  }

  /// True if more than one part of the requests contains the value.
  func isRepeated(_ value: [UInt8]) -> Bool {
    value.count >= 6 && said.lazy.filter { $0.firstIndex(of: value, from: 0) != nil }.prefix(2).count > 1
  }

  private static func general(_ path: [JSONPath.Step]) -> [JSONPath.Step] {
    path.map { step in if case .element = step { .element(0) } else { step } }
  }

  static func bytes(of body: Body?) -> [UInt8]? {
    guard let body else { return [] }
    // A body in a separate file may be too long to be kept in memory.
    if case .file = body.form { return nil }
    guard let bytes = try? body.bytes(), bytes.count <= longest else { return nil }
    return bytes
  }
}
