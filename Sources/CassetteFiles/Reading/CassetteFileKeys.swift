import CassetteJSON
internal import CassetteSystem

/// The names the members of one kind of object may have, in the order they are written: the cases of their keys.
struct CassetteFileKeys<Key: RawRepresentable<Int> & CaseIterable>: Sendable {
  let names: [String]
  private let words: [Word]

  /// A name of at most sixteen bytes as two numbers, so that comparing takes two instructions.
  private struct Word: Equatable {
    var length = 0
    var low: UInt64 = 0
    var high: UInt64 = 0
  }

  init(_ name: (Key) -> String = { "\($0)" }) {
    names = Key.allCases.map(name)
    words = names.map { name in
      let bytes = Array(name.utf8)
      return Self.word(bytes.span, 0..<bytes.count)
    }
  }

  /// Finds the index of a name, first after the one found last: members mostly come in order.
  func index(of range: Range<Int>, in bytes: Span<UInt8>, after last: Int) -> Int? {
    guard range.count <= 16 else { return nil }
    let word = Self.word(bytes, range)
    for index in last + 1..<words.count where words[index] == word { return index }
    for index in 0..<min(last + 1, words.count) where words[index] == word { return index }
    return nil
  }

  private static func word(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Word {
    let length = range.count
    let start = range.lowerBound
    if start + 16 <= bytes.count {
      let low = bytes.word(start)
      if length <= 8 { return Word(length: length, low: low & mask(length)) }
      return Word(length: length, low: low, high: bytes.word(start + 8) & mask(length - 8))
    }
    var word = Word(length: length)
    for index in 0..<length {
      let byte = UInt64(bytes[start + index]) << UInt64(index % 8 * 8)
      if index < 8 { word.low |= byte } else { word.high |= byte }
    }
    return word
  }

  private static func mask(_ length: Int) -> UInt64 { length >= 8 ? .max : 1 << UInt64(length * 8) - 1 }
}

/// The objects of a cassette; the raw value of a key is its place in the table below it.
enum CassetteFileObject {
  enum Cassette: Int, CaseIterable { case schema, cassette, origin, recording, matching, match, resource, interactions }
  static let cassette = CassetteFileKeys<Cassette> { $0 == .schema ? "$schema" : "\($0)" }

  enum Interaction: Int, CaseIterable { case id, request, response, failure, match, replay, recorded }
  static let interaction = CassetteFileKeys<Interaction>()

  enum Request: Int, CaseIterable { case method, url, headers, body }
  static let request = CassetteFileKeys<Request>()

  enum Response: Int, CaseIterable { case interim, status, reason, template, headers, coding, body, trailers }
  static let response = CassetteFileKeys<Response>()

  enum Interim: Int, CaseIterable { case status, headers }
  static let interim = CassetteFileKeys<Interim>()

  enum Body: Int, CaseIterable { case json, text, base64, file, chunks, style, newline, end }
  static let body = CassetteFileKeys<Body>()

  enum Chunk: Int, CaseIterable { case after, text, base64 }
  static let chunk = CassetteFileKeys<Chunk>()

  enum Failure: Int, CaseIterable { case code, name }
  static let failure = CassetteFileKeys<Failure>()

  enum Recorded: Int, CaseIterable { case at, firstByte, total, by, cut }
  static let recorded = CassetteFileKeys<Recorded>()

  enum Match: Int, CaseIterable {
    case method, url, path, query, origin, headers, recordedHeaders, cookies, authorization, body, priority
  }
  static let match = CassetteFileKeys<Match>()

  enum Condition: Int, CaseIterable {
    case equals, equalsIgnoringCase, contains, doesNotContain, matches, doesNotMatch, absent, oneOf
    case atLeast, above, atMost, below, before, after
    case and, or, not, includes, hasExactly
  }
  static let condition = CassetteFileKeys<Condition>()

  /// The conditions first, at the same places.
  enum MatchBody: Int, CaseIterable {
    case equals, equalsIgnoringCase, contains, doesNotContain, matches, doesNotMatch, absent, oneOf
    case atLeast, above, atMost, below, before, after
    case and, or, not, json, ignore, extra, order, base64, values, form, schema, parts, graphql, jsonrpc
  }
  static let matchBody = CassetteFileKeys<MatchBody>()

  enum Method: Int, CaseIterable { case not }
  static let method = CassetteFileKeys<Method>()

  enum Part: Int, CaseIterable { case name, filename, headers, body, every }
  static let part = CassetteFileKeys<Part>()

  enum GraphQL: Int, CaseIterable { case operation, type, query, variables }
  static let graphQL = CassetteFileKeys<GraphQL>()

  enum JSONRPC: Int, CaseIterable { case method, params }
  static let jsonRPC = CassetteFileKeys<JSONRPC>()

  enum Authorization: Int, CaseIterable { case basic, bearer }
  static let authorization = CassetteFileKeys<Authorization>()

  enum Basic: Int, CaseIterable { case user, password }
  static let basic = CassetteFileKeys<Basic>()

  enum Replay: Int, CaseIterable { case `repeat`, order, delay, chunkDelay, bytesPerSecond, fault, when, then }
  static let replay = CassetteFileKeys<Replay>()

  enum Fault: Int, CaseIterable { case kind, probability, first, every, after }
  static let fault = CassetteFileKeys<Fault>()
}
