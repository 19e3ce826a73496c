internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

/// An estimate of the steps, of a few nanoseconds each, that are needed to find the answer to a request.
///
/// The server estimates them before it matches a request on a loop: 200 patterns on a body of 200 KB take 13 ms of
/// processor time, in which the loop could answer 1,800 other requests. The estimate does not examine the rules, because
/// all rules for a request share a budget of 5,000,000 steps.
enum MatchingCost {
  /// The number of steps of a recording's rules for a byte of the request.
  private static let ruling = 8
  /// The number of steps to parse a byte of JSON.
  private static let parsing = 4
  /// The number of steps to compute the similarity of a request and a recording.
  private static let likeness = 40

  /// Returns the number of steps to find the answer to a request, or to explain a miss.
  ///
  /// - `request`: The request; its content may be encoded.
  /// - `length`: The maximum length of its decoded content.
  static func steps(for request: HTTPRequest, bodyLength length: Int, in tables: [RecordingTable]) -> Int {
    let length = min(length, 1 << 38)
    return tables.reduce(0) { steps, table in
      let (recorded, ruled) = table.tried(for: request)
      let entries = table.entries.count
      var steps = steps + ruled.count * ruling * (request.pathAndQuery.utf8.count + length)
      // The body is compared with recorded bodies, and with those of the nearest recordings if none matches.
      steps += ((recorded?.count ?? 0) + min(RecordingTable.shortlist, entries)) * parsing * length
      // A miss compares the target with every recording, to find the nearest.
      if length > 0 || recorded == nil { steps += entries * likeness }
      return steps
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
  /// Returns true if building the answer may block an event loop for too long.
  ///
  /// A template may repeat a part for each value in the body of the request.
  func isLong(for request: HTTPRequest) -> Bool {
    if table.isLong(entry) { return true }
    guard let templates = table.templates, templates.concerns(entry) else { return false }
    return request.body.count + request.pathAndQuery.utf8.count > Responder.longBody
      || request.headers.contains("Content-Encoding")
  }

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
