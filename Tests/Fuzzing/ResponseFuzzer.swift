import CassetteHTTP
// Not part of the package: `.ci/fuzz` compiles this file with the toolchain's libFuzzer.
import CassetteSystem
import MockServerWire

/// The result of parsing a stream of an origin, which must not depend on the splits.
private struct ResponseOutcome: Equatable {
  var interims: [ResponseHead] = []
  var head: ResponseHead?
  var framing: ResponseHead.BodyFraming?
  var content: [UInt8] = []
  var trailers: HTTPHeaders?
  var consumed = 0
  var persists = false
  var error: ParseError?

  init(_ bytes: [UInt8], cutAt cuts: [Int], to method: HTTPMethod, _ limits: ParserLimits) {
    var parser = ResponseParser(to: method, limits: limits)
    var events: [ResponseParser.Event] = []
    do throws(ParseError) {
      var start = 0
      for cut in cuts + [bytes.count] where cut > start && cut <= bytes.count && !parser.isComplete {
        consumed += try parser.parse(Array(bytes[start..<cut]).span, into: &events)
        start = cut
      }
      try parser.parseEnd(into: &events)
    } catch {
      // The number of bytes consumed of an invalid piece is not defined.
      consumed = 0
      self.error = error
    }
    persists = parser.persists
    for event in events { note(event) }
  }

  private mutating func note(_ event: ResponseParser.Event) {
    precondition(trailers == nil, "an event after the end")
    switch event {
    case .interim(let head):
      precondition(self.head == nil, "an interim response after the final one")
      interims.append(head)
    case .head(let head, let framing):
      precondition(self.head == nil, "two final responses")
      (self.head, self.framing) = (head, framing)
    case .content(let bytes):
      precondition(head != nil && !bytes.isEmpty, "content of nothing, or none")
      content += bytes
    case .end(let fields): trailers = fields
    }
  }
}

/// Finds responses that end the process, or whose result depends on the splits.
func fuzzResponse(_ bytes: [UInt8], cutAt cuts: [Int], isHead: Bool, _ limits: ParserLimits) {
  let method: HTTPMethod = isHead ? .head : .get
  let whole = ResponseOutcome(bytes, cutAt: [], to: method, limits)
  precondition(whole == ResponseOutcome(bytes, cutAt: Array(bytes.indices), to: method, limits), "a split changed it")
  precondition(whole == ResponseOutcome(bytes, cutAt: cuts, to: method, limits), "a split changed it")
  precondition(whole.consumed <= bytes.count)
  if case .length(let length) = whole.framing {
    precondition(whole.content.count <= length, "the content is longer than Content-Length")
  }
}
