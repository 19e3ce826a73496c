internal import CassetteHTTP
internal import CassetteSystem
internal import MockServerWire

/// The server's side of an HTTP/1.1 connection: bytes in, answers out, no socket in sight (RFC 9112).
///
/// While nothing is half-received it holds no buffer at all: ten thousand idle ones are cheap.
final class HTTPConnection {
  /// The part of a request that is not complete.
  private struct Partial {
    enum Phase {
      case head
      case length(Int)
      case chunks(ChunkedDecoder)
      /// Not to be read before the answer in progress is out.
      case held
    }

    var bytes: [UInt8]
    var parser: RequestParser
    var phase: Phase
    var body: [UInt8] = []
  }

  private var partial: Partial?
  /// The action after the output is written; anything but `.persist` ends the reading of requests.
  private(set) var nextAction = NextAction.persist
  /// True if bytes came that nobody read: the socket must linger, or its reset would overtake the answer.
  private(set) var hasUnreadInput = false
  /// True if the next request may be read.
  @inline(__always)
  var persists: Bool { if case .persist = nextAction { true } else { false } }

  /// True if a request has begun and is not complete.
  var isMidRequest: Bool {
    guard let partial else { return false }
    if case .head = partial.phase { return partial.parser.hasStarted }
    if case .held = partial.phase { return false }
    return true
  }

  /// True if a head has begun and is not complete.
  var isMidHead: Bool {
    if let partial, case .head = partial.phase { return partial.parser.hasStarted }
    return false
  }

  /// Takes bytes as they came, and answers every request that they complete.
  ///
  /// The parser is borrowed: it is only kept when a head stays incomplete, and then replaced.
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

  /// Notes what comes after a piece of a streamed answer.
  func proceed(to next: NextAction) { nextAction = next }

  /// Takes the bytes received after a request, which belong to the new protocol after a switch.
  func takeHeld() -> [UInt8] { partial.take()?.bytes ?? [] }

  /// Continues with requests that waited for an answer in progress.
  func resume<Handler: RequestHandler>(parser: inout RequestParser, handler: Handler, output: inout Output) {
    nextAction = .persist
    guard let held = partial, case .held = held.phase else { return }
    partial = nil
    readRequests(held.bytes.span, &parser, handler, &output)
  }

  /// The client will send nothing more: a request that is cut is refused (RFC 9112 §8).
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

  /// A head took too long (RFC 9110 §15.5.9).
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

  /// Keeps bytes that come while an answer is in progress, up to what a whole request may measure.
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

  /// Answers the request whose head the parser has found, and returns its length; nil while its body is not there.
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
      // The parser has refused lengths beyond the limit: the sum cannot overflow.
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

  /// Keeps a head whose body is still to come, and says that it is welcome if the client waits to hear so.
  private func wait(_ bytes: Span<UInt8>, _ parser: RequestParser, _ phase: Partial.Phase, _ output: inout Output) {
    let head = Array(bytes.extracting(0..<parser.head.length))
    partial = Partial(bytes: head, parser: parser, phase: phase)
    if parser.head.expectsContinue, bytes.count == parser.head.length {
      output.append("HTTP/1.1 100 Continue\r\n\r\n")
    }
  }

  /// Adds bytes to the request that is not complete.
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
