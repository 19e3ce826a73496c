internal import CassetteHTTP
internal import MockServerUpstream
internal import MockServerWire

/// The action of a connection after a response.
enum NextAction {
  /// Wait for the next request.
  case persist
  /// Close the connection, because either side requested it.
  case close
  /// Reset the connection, as the origin did.
  case reset
  /// Send nothing more, as the origin did.
  case silence
  /// Send pieces with gaps between them.
  case stream(PieceStream)
  /// Open a tunnel, which the client believes to lead to the origin.
  case tunnel(UpstreamOrigin)
  /// Wait for the upstream response, which arrives piece by piece.
  case upstream(ProxiedRequest)
  /// Pass bytes in both directions after a switch of protocols.
  case switched
  /// Wait for the deck, which answers on another thread.
  case matching(PendingMatch)
}

/// Responds to complete requests, so that connections are independent of recordings.
protocol RequestHandler: AnyObject {
  /// Appends the response to a request, and returns the connection's action after it.
  ///
  /// The head's parts are offsets into `bytes`; the body is complete.
  func respond(_ head: RequestHead, _ bytes: Span<UInt8>, body: [UInt8], into output: inout Output) -> NextAction

  /// Appends the response to an invalid request, without content if it was a `HEAD`; the connection is closed
  /// afterwards.
  func refuse(_ error: ParseError, isHead: Bool, into output: inout Output)

  /// Returns a parser in its initial state.
  func makeParser() -> RequestParser

  /// The limits on a request.
  var limits: ParserLimits { get }
}
