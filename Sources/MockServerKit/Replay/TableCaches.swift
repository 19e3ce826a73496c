internal import CassetteHTTP
internal import CassettePlayback
internal import CassetteSystem
internal import Cassettes

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
  /// - Parameters:
  ///   - base: The scheme and authority that replace the recorded origins; nil keeps them.
  ///   - origins: The recorded origins.
  ///   - coding: Applies the content coding that the client accepts. None by default.
  /// - Returns: The response, or the failure of the exchange.
  /// - Throws: ``CassetteError`` if the recording's body can no longer be read.
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
