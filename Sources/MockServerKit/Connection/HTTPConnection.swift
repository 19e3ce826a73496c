internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerWire

/// The server's side of an HTTP/1.1 connection (RFC 9112): receives bytes and appends responses, independent of
/// sockets.
///
/// It holds no buffer between requests, so that ten thousand idle connections need little memory.
final class HTTPConnection {
  /// A request that is not complete.
  private struct Partial {
    enum Phase {
      case head
      case length(Int)
      case chunks(ChunkedDecoder)
      /// Further requests, which are parsed after the response in progress.
      case held
    }

    var bytes: [UInt8]
    var parser: RequestParser
    var phase: Phase
    var body: [UInt8] = []
  }

  private var partial: Partial?
  /// The action after the output is written; any action except `.persist` stops the parsing of requests.
  private(set) var nextAction = NextAction.persist
  /// True if received bytes were not parsed: the socket must linger, or its reset would overtake the response.
  private(set) var hasUnreadInput = false
  /// True if the next request may be parsed.
  @inline(__always)
  var persists: Bool { if case .persist = nextAction { true } else { false } }

  /// True if a request has begun but is not complete.
  var isMidRequest: Bool {
    guard let partial else { return false }
    if case .head = partial.phase { return partial.parser.hasStarted }
    if case .held = partial.phase { return false }
    return true
  }

  /// True if a head has begun but is not complete.
  var isMidHead: Bool {
    if let partial, case .head = partial.phase { return partial.parser.hasStarted }
    return false
  }

  /// Parses received bytes, and responds to every request that they complete.
  ///
  /// The parser is borrowed: it is stored only if a head is incomplete, and then replaced.
  func receive<Handler: RequestHandler>(
    _ input: Span<UInt8>, parser: inout RequestParser, handler: Handler, output: inout Output
  ) {
    guard persists else {
      hold(input, handler)
      return
    }
    if partial == nil {
      readRequests(input, &parser, handler, &output)
    } else {
      proceed(input, &parser, handler, &output)
    }
  }

  /// Sets the action that follows a piece of a streamed response.
  func proceed(to next: NextAction) { nextAction = next }

  /// Removes and returns the bytes received after a request that switched the protocol; they belong to the new
  /// protocol.
  func takeHeld() -> [UInt8] { partial.take()?.bytes ?? [] }

  /// Parses the requests that arrived during the response in progress.
  func resume<Handler: RequestHandler>(parser: inout RequestParser, handler: Handler, output: inout Output) {
    nextAction = .persist
    guard let held = partial, case .held = held.phase else { return }
    partial = nil
    readRequests(held.bytes.span, &parser, handler, &output)
  }

  /// Handles the end of the client's data: an incomplete request is refused (RFC 9112 §8).
  func receiveEnd<Handler: RequestHandler>(handler: Handler, output: inout Output) {
    guard persists else { return }
    if isMidRequest {
      let error = ParseError(
        status: 400, message: "the connection ended before the request was complete", section: "RFC 9112 §8", offset: 0)
      refuse(error, handler, &output)
    } else {
      nextAction = .close
    }
  }

  /// Refuses a request whose head did not arrive in time (RFC 9110 §15.5.9).
  func expire<Handler: RequestHandler>(handler: Handler, output: inout Output) {
    let error = ParseError(
      status: 408, message: "the request did not arrive in time", section: "RFC 9110 §15.5.9", offset: 0)
    refuse(error, handler, &output)
  }

  private func refuse<Handler: RequestHandler>(_ error: ParseError, _ handler: Handler, _ output: inout Output) {
    let bytes = partial?.bytes ?? []
    refuse(error, bytes.span, handler, &output)
  }

  private func refuse<Handler: RequestHandler>(
    _ error: ParseError, _ bytes: Span<UInt8>, _ handler: Handler, _ output: inout Output
  ) {
    let method: [UInt8] = Array("HEAD ".utf8)
    let isHead = bytes.count >= method.count && method.indices.allSatisfy { bytes[$0] == method[$0] }
    handler.refuse(error, isHead: isHead, into: &output)
    nextAction = .close
    hasUnreadInput = true
    partial = nil
  }

  /// Stores the bytes that arrive during a response in progress.
  private func hold<Handler: RequestHandler>(_ input: Span<UInt8>, _ handler: Handler) {
    switch nextAction {
    case .stream, .upstream, .matching: break
    case .persist, .close, .reset, .silence, .tunnel, .switched:
      hasUnreadInput = hasUnreadInput || input.count > 0
      return
    }
    if partial == nil { partial = Partial(bytes: [], parser: handler.makeParser(), phase: .held) }
    partial?.bytes.append(input)
  }

  private func readRequests<Handler: RequestHandler>(
    _ input: Span<UInt8>, _ parser: inout RequestParser, _ handler: Handler, _ output: inout Output
  ) {
    var start = 0
    while start < input.count {
      let rest = input.extracting(start..<input.count)
      parser.reset()
      do throws(ParseError) {
        guard try parser.parse(rest) else {
          partial = Partial(bytes: Array(rest), parser: parser, phase: .head)
          parser = handler.makeParser()
          return
        }
        guard let length = try answer(rest, parser, handler, &output) else { return }
        start += length
      } catch {
        refuse(error, rest, handler, &output)
        return
      }
      guard persists else {
        hold(input.extracting(start..<input.count), handler)
        return
      }
    }
  }

  /// Responds to the request whose head was parsed, and returns its length; returns nil if its body is incomplete.
  @inline(__always)
  private func answer<Handler: RequestHandler>(
    _ bytes: Span<UInt8>, _ parser: RequestParser, _ handler: Handler, _ output: inout Output
  ) throws(ParseError) -> Int? {
    let headLength = parser.head.length
    switch parser.head.framing {
    case .none:
      nextAction = handler.respond(parser.head, bytes.extracting(0..<headLength), body: [], into: &output)
      return headLength
    case .length(let length):
      // The parser has rejected lengths beyond the limit, so the sum cannot overflow.
      if bytes.count >= headLength + length {
        let body = Array(bytes.extracting(headLength..<(headLength + length)))
        nextAction = handler.respond(parser.head, bytes.extracting(0..<headLength), body: body, into: &output)
        return headLength + length
      }
      wait(bytes, parser, .length(length), &output)
      let body = Array(bytes.extracting(headLength..<bytes.count))
      partial?.body = body
      return nil
    case .chunked:
      var decoder = ChunkedDecoder(limits: handler.limits)
      var body: [UInt8] = []
      let rest = bytes.extracting(headLength..<bytes.count)
      let (consumed, isComplete) = try decoder.decode(rest, into: &body)
      if isComplete {
        nextAction = handler.respond(parser.head, bytes.extracting(0..<headLength), body: body, into: &output)
        return headLength + consumed
      }
      wait(bytes, parser, .chunks(decoder), &output)
      partial?.body = body
      return nil
    }
  }

  /// Stores a head whose body is incomplete, and sends 100 (Continue) if the client waits for it.
  private func wait(_ bytes: Span<UInt8>, _ parser: RequestParser, _ phase: Partial.Phase, _ output: inout Output) {
    let head = Array(bytes.extracting(0..<parser.head.length))
    partial = Partial(bytes: head, parser: parser, phase: phase)
    if parser.head.expectsContinue, bytes.count == parser.head.length {
      output.append("HTTP/1.1 100 Continue\r\n\r\n")
    }
  }

  /// Adds bytes to the incomplete request.
  private func proceed<Handler: RequestHandler>(
    _ input: Span<UInt8>, _ parser: inout RequestParser, _ handler: Handler, _ output: inout Output
  ) {
    guard var partial = partial.take() else { return }
    do throws(ParseError) {
      var consumed = 0
      switch partial.phase {
      case .held:
        partial.bytes.append(input)
        readRequests(partial.bytes.span, &parser, handler, &output)
        return
      case .head:
        partial.bytes.append(input)
        let bytes = partial.bytes
        guard try partial.parser.parse(bytes.span) else {
          self.partial = partial
          return
        }
        guard let length = try answer(bytes.span, partial.parser, handler, &output) else { return }
        continueReading(bytes.span.extracting(length..<bytes.count), &parser, handler, &output)
        return
      case .length(let length):
        consumed = min(length - partial.body.count, input.count)
        partial.body.append(input.extracting(0..<consumed))
        guard partial.body.count == length else {
          self.partial = partial
          return
        }
      case .chunks(var decoder):
        let isComplete: Bool
        partial.phase = .held
        (consumed, isComplete) = try decoder.decode(input, into: &partial.body)
        guard isComplete else {
          partial.phase = .chunks(decoder)
          self.partial = partial
          return
        }
      }
      nextAction = handler.respond(partial.parser.head, partial.bytes.span, body: partial.body, into: &output)
      continueReading(input.extracting(consumed..<input.count), &parser, handler, &output)
    } catch {
      refuse(error, partial.bytes.span, handler, &output)
    }
  }

  private func continueReading<Handler: RequestHandler>(
    _ input: Span<UInt8>, _ parser: inout RequestParser, _ handler: Handler, _ output: inout Output
  ) {
    if persists {
      readRequests(input, &parser, handler, &output)
    } else {
      hold(input, handler)
    }
  }
}
