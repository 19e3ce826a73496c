import CassetteHTTP
// Not part of the package: `.ci/fuzz` compiles this file with the toolchain's libFuzzer.
//
// Looks for bytes that end the process, and for bytes whose requests or error depend on how they were split.
import MockServerWire

/// Limits low enough to be exceeded by the fuzzer's inputs.
private let tight = ParserLimits(requestLine: 64, head: 256, fields: 8, body: 128)

/// The entry point of libFuzzer.
///
/// Two bytes choose the parser, limits and splits, and the others are the stream.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard count > 2 else { return 0 }
  let bytes = Array(input[2...])
  let limits = input[0] & 1 == 0 ? ParserLimits() : tight

  // The first bytes of the input choose the distances between cuts.
  var state = UInt32(input[0]) << 8 | UInt32(input[1]) | 1
  var cuts: [Int] = []
  var at = 0
  while at < bytes.count {
    state = state &* 1_664_525 &+ 1_013_904_223
    at += 1 + Int(state >> 24) % (1 + Int(input[1]))
    cuts.append(at)
  }

  switch input[0] >> 6 {
  case 2: fuzzResponse(bytes, cutAt: cuts, isHead: input[0] & 2 != 0, limits)
  case 3: fuzzPattern(bytes)
  default: fuzzRequests(bytes, cutAt: cuts, limits)
  }
  return 0
}

private func fuzzRequests(_ bytes: [UInt8], cutAt cuts: [Int], _ limits: ParserLimits) {
  let whole = RequestStream(bytes, limits: limits)
  compare(whole, RequestStream.byteByByte(bytes, limits: limits))
  compare(whole, RequestStream(bytes, cutAt: cuts, limits: limits))
  for request in whole.requests {
    touch(request)
  }
  touch(bytes)
}

private func compare(_ whole: RequestStream, _ split: RequestStream) {
  precondition(whole.requests == split.requests, "a split changed the requests")
  precondition(whole.trailers == split.trailers, "a split changed the trailers")
  precondition(whole.error == split.error, "a split changed the error")
  precondition(whole.isWaiting == split.isWaiting, "a split changed whether more is needed")
}

/// Accesses all parts of a parsed request.
private func touch(_ request: HTTPRequest) {
  precondition(request.body.count <= ParserLimits().body)
  precondition(HTTPTarget(request.target.text) == request.target, "a target that is not read back")
  _ = (request.target.scheme, request.target.authority, request.target.path)
  _ = request.target.query.map(QueryItem.parse)
  for field in request.headers {
    _ = MediaType(field.value)
    _ = HTTPDate.parse(field.value)
  }
}

/// Calls the text parsers with any bytes.
private func touch(_ bytes: [UInt8]) {
  _ = PercentEncoding.decode(bytes)
  let text = String(decoding: bytes, as: UTF8.self)
  if let type = MediaType(text) { precondition(MediaType(type.description) == type, "a type that is not read back") }
  if let target = HTTPTarget(text) { precondition(target.text == text) }
  if let seconds = HTTPDate.parse(text) {
    precondition(HTTPDate.parse(HTTPDate.format(seconds)) == seconds, "a date that is not read back")
  }
}
