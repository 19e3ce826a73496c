package import CassetteHTTP

extension Deck {
  /// Answers a request: by its content as recorded, else decoded, else as others have recorded it.
  ///
  /// - Parameters:
  ///   - request: The request as it came, its content coded where its client coded it.
  ///   - session: Whose positions in the cursors count.
  /// - Returns: The answer; a miss is that of the decoded request.
  package func answer(_ request: HTTPRequest, session: String = "") -> Answer {
    if let play = settled(request, session: session) { return .playback(play.playback(of: request)) }
    guard let decoded = request.contentDecoded else { return play(request, session: session) }
    let number = countRequest()
    let first = play(decoded, number, session, meetsFaults: true)
    if first.isFinal { return first.answer }
    let coded = play(request, number, session, meetsFaults: false)
    return coded.isFinal ? coded.answer : first.answer
  }
}
