internal import CassetteHTTP
internal import CassetteSystem
package import Cassettes

extension RecordingTable {
  /// Returns a recorded response with links and secrets replaced; a long response is built once for all clients.
  ///
  /// - Parameters:
  ///   - recorded: The response of the entry.
  ///   - entry: The number of the recording.
  ///   - base: The scheme and authority that replace the recorded origins; nil keeps them.
  ///   - origins: The recorded origins.
  ///   - isHead: True for the recorded answer to a `HEAD`.
  /// - Returns: The response.
  /// - Throws: ``CassetteError`` if the body's file cannot be read.
  package func plainResponse(
    _ recorded: RecordedResponse, of entry: Int, base: String?, origins: OriginRewriter, isHead: Bool
  ) throws(CassetteError) -> PlayedResponse {
    func make() throws(CassetteError) -> PlayedResponse {
      try PlayedResponse(
        recorded, base: base, origins: origins, isHead: isHead, standIns(of: entry), entry: entry)
    }
    guard !isHead, let body = recorded.body, body.isLong(LongAnswers.leastLength) else { return try make() }
    let key = LongAnswers.Key(
      entry: entry, base: base, origins: origins.filesWithoutLinks, file: try body.openFile()?.identity)
    return try longAnswers.answer(key, make)
  }
}

extension Playback {
  /// True if building the answer may block an event loop for too long.
  package var isLong: Bool { table.isLong(entry) }
}

extension RecordingTable {
  /// Returns true if building the answer of an entry may block an event loop for too long.
  package func isLong(_ entry: Int) -> Bool {
    answerTemplates[entry]?.isSlow ?? false
      || entries[entry].interaction.responseBody?.isLong(LongAnswers.leastBesideLoops) ?? false
  }
}
