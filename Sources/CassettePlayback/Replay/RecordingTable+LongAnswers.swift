internal import CassetteHTTP
internal import CassetteSystem
package import Cassettes

extension RecordingTable {
  /// Returns a recorded response with links and secrets replaced; a long one is made once for all its readers.
  ///
  /// - Parameters:
  ///   - recorded: The response of the entry.
  ///   - entry: The number of the recording.
  ///   - base: Scheme and authority to put in place of the recorded origins; nil keeps them.
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
  /// True if making the answer may take longer than an event loop can wait.
  package var isLong: Bool { table.isLong(entry) }
}

extension RecordingTable {
  /// True if making the answer of an entry may take longer than an event loop can wait.
  package func isLong(_ entry: Int) -> Bool {
    entries[entry].interaction.responseBody?.isLong(LongAnswers.leastBesideLoops) ?? false
  }
}
