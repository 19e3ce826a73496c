internal import CassetteHTTP
internal import MockServerUpstream
internal import MockServerWire

/// The action of a connection once an answer is out.
enum NextAction {
  /// Waits for the next request.
  case persist
  /// Ends, because one side said so.
  case close
  /// Breaks off without a word, as the origin did.
  case reset
  /// Says nothing any more, as the origin did.
  case silence
  /// Sends pieces with gaps between them.
  case stream(PieceStream)
  /// Leads elsewhere, as the client believes.
  case tunnel(UpstreamOrigin)
  /// Waits for what comes from upstream, piece by piece.
  case upstream(ProxiedRequest)
  /// Passes bytes in both directions after a switch of protocols.
  case switched
  /// Waits for the deck, which is asked on another thread.
  case matching(PendingMatch)
}

/// Answers whole requests; a connection knows nothing of recordings.
protocol RequestHandler: AnyObject {
  /// Appends the answer to a request, and returns what the connection does once it is out.
  ///
  /// The head's parts are offsets into `bytes`; the body is complete.
  func respond(_ head: RequestHead, _ bytes: Span<UInt8>, body: [UInt8], into output: inout Output) -> NextAction

  /// Appends the answer to bytes that are no request, without content to a `HEAD`; the connection ends after it.
  func refuse(_ error: ParseError, isHead: Bool, into output: inout Output)

  /// A parser without history.
  func makeParser() -> RequestParser

  /// The limits on a request.
  var limits: ParserLimits { get }
}
