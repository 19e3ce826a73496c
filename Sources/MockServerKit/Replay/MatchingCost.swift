internal import CassetteHTTP
internal import CassettePatterns
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// An upper estimate of the steps, of a few nanoseconds each, that are needed to find the answer to a request.
///
/// The server estimates them before it matches a request on a loop: 200 patterns on a body of 200 KB take 13 ms of
/// processor time, in which the loop could answer 1,800 other requests.
struct MatchingCost {
  /// The number of steps per request, regardless of its length.
  private var fixed = 0
  /// The number of steps per byte of the target.
  private var target = 0
  /// The number of steps per byte of the body.
  private var body = 0
  private var needsJSON = false

  /// The number of steps to parse a byte of JSON.
  private static let parsing = 4
  /// The number of steps to compute the similarity of a request and a recording.
  private static let likeness = 40
  /// The estimate stops here, because it exceeds any limit.
  private static let enough = 1 << 24

  /// Returns the maximum number of steps to find the answer to a request, or to explain a miss.
  ///
  /// - `request`: The request; its content may be encoded.
  /// - `length`: The maximum length of its decoded content.
  static func steps(for request: HTTPRequest, bodyLength length: Int, in tables: [RecordingTable]) -> Int {
    tables.reduce(0) { $0 + steps(for: request, length, in: $1) }
  }

  private static func steps(for request: HTTPRequest, _ length: Int, in table: RecordingTable) -> Int {
    let (recorded, ruled) = table.tried(for: request)
    let target = request.pathAndQuery.utf8.count
    var cost = MatchingCost()
    for entry in ruled {
      if let rules = table.rules(of: entry) { cost.add(rules) }
      if cost.steps(target: target, body: length) > enough { break }
    }
    var steps = cost.steps(target: target, body: length)
    if length > 0 {
      // The body is compared with recorded bodies, and with those of the nearest recordings if none matches.
      let compared = (recorded?.count ?? 0) + min(RecordingTable.shortlist, table.entries.count)
      steps += compared * parsing * min(length, .max >> 24)
    }
    // A miss compares the target with every recording, to find the nearest.
    if length > 0 || recorded == nil { steps += table.entries.count * likeness }
    return steps
  }

  private func steps(target length: Int, body count: Int) -> Int {
    let (all, overflows) = (body + (needsJSON ? Self.parsing : 0)).multipliedReportingOverflow(by: count)
    return overflows ? .max >> 1 : fixed + target * length + min(all, .max >> 2)
  }

  /// Adds the cost of a recording's rules.
  private mutating func add(_ rules: MatchRules) {
    fixed += 10
    if let url = rules.url { target += url.size }
    if case .condition(let condition) = rules.path { target += condition.size }
    for entry in rules.query.entries { target += entry.condition.size }
    // Field values rarely have more than 64 bytes.
    for entry in rules.headers.entries + rules.cookies.entries { fixed += 64 * entry.condition.size }
    if rules.authorization != nil { fixed += 100 }
    for rule in rules.body { add(rule) }
  }

  private mutating func add(_ rule: BodyRule) {
    switch rule {
    case .text(let condition): body += condition.size
    case .base64: fixed += 1
    case .json(let value, _, _, let order):
      needsJSON = true
      fixed += Self.parsing * value.count
      // Each element is compared with every other.
      body += 1 + (order ? value.count / 8 : 0)
    case .values(let conditions):
      needsJSON = true
      // A path is evaluated on the parsed value.
      for entry in conditions { body += 1 + entry.condition.size }
    case .form(let conditions):
      body += Self.parsing
      for entry in conditions.entries { body += entry.condition.size }
    case .schema:
      needsJSON = true
      // Each keyword usually examines the value once; the budget limits the exceptions.
      body += 16
    case .parts(let rules):
      body += Self.parsing
      for rule in rules.flatMap(\.body) { add(rule) }
      fixed +=
        64
        * rules.reduce(0) { sum, rule in
          let conditions = [rule.name, rule.filename].compactMap(\.self) + rule.headers.entries.map(\.condition)
          return conditions.reduce(sum) { $0 + $1.size }
        }
    case .graphQL(let rule):
      needsJSON = true
      body += rule.variables.reduce(Self.parsing) { $0 + 1 + $1.condition.size }
    case .jsonRPC(let rule):
      needsJSON = true
      body += rule.params.reduce(1) { $0 + 1 + $1.condition.size }
    case .and(let rules), .or(let rules): for rule in rules { add(rule) }
    case .not(let rule): add(rule)
    }
  }
}

extension Condition {
  /// The maximum number of steps per byte of a value.
  fileprivate var size: Int {
    guard case .all(let terms) = self else { return 0 }
    return terms.reduce(0) { size, term in
      switch term {
      case .matches(let pattern), .doesNotMatch(let pattern): size + pattern.size
      case .oneOf(let texts): size + texts.count
      default: size + (term.conditions?.reduce(0) { $0 + $1.size } ?? 1)
      }
    }
  }
}

/// The values that the server computes once for each table of recordings.
final class TableCaches: Sendable {
  /// The most recently used long answers.
  let longAnswers = LongAnswers()
  /// The shift from the newest recording's date to the time of loading; nil if no recording has a date.
  let movedDates: MovedDates?

  init(_ table: RecordingTable) {
    let newest = table.entries.lazy.compactMap { entry in
      entry.interaction.recorded?.at.flatMap { ISOTime(Array($0.utf8)[...])?.seconds }
    }.max()
    movedDates = newest.map { MovedDates(by: table.loaded - $0) }
  }
}

extension RecordingTable {
  /// The server's caches for this table.
  var caches: TableCaches { attachment { TableCaches(self) } }

  /// Returns true if building the answer of an entry may block an event loop for too long.
  func isLong(_ entry: Int) -> Bool {
    templates?.isSlow(entry) ?? false
      || entries[entry].interaction.responseBody?.isLong(LongAnswers.leastBesideLoops) ?? false
  }
}

extension Playback {
  /// True if building the answer may block an event loop for too long.
  var isLong: Bool { table.isLong(entry) }

  /// Builds the recording's response to the request; a long response is built once for all clients.
  ///
  /// - `base`: The scheme and authority that replace the recorded origins; nil keeps them.
  /// - `coding`: Applies the content coding that the client accepts. None by default.
  func served(
    base: String?, origins: OriginRewriter, coding: ((PlayedResponse) -> PlayedResponse)? = nil
  ) throws(CassetteError) -> PlayedResponse {
    let plain = { (make: () throws(CassetteError) -> PlayedResponse) throws(CassetteError) -> PlayedResponse in
      var response = try self.kept(base, origins, make)
      if self.session.settings.clock == .recorded, let dates = self.table.caches.movedDates { response.move(dates) }
      return response
    }
    return try response(base: base, origins: origins, plain: plain, coding: coding)
  }

  private func kept(
    _ base: String?, _ origins: OriginRewriter, _ make: () throws(CassetteError) -> PlayedResponse
  ) throws(CassetteError) -> PlayedResponse {
    let interaction = recording.interaction
    guard interaction.method != .head, let body = interaction.responseBody, body.isLong(LongAnswers.leastLength) else {
      return try make()
    }
    let key = LongAnswers.Key(
      entry: entry, base: base, origins: origins.filesWithoutLinks, file: try body.openFile()?.identity)
    return try table.caches.longAnswers.answer(key, make)
  }
}
