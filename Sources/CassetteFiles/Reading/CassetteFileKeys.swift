import CassetteJSON
internal import CassetteSystem

/// The names the members of one kind of object may have, in the order they are written.
struct CassetteFileKeys: Sendable {
  let names: [String]
  private let keys: [Key]

  /// A name of at most sixteen bytes as two numbers, so that comparing takes two instructions.
  private struct Key: Equatable {
    var length = 0
    var low: UInt64 = 0
    var high: UInt64 = 0
  }

  init(_ names: String...) {
    self.names = names
    keys = names.map { name in
      let bytes = Array(name.utf8)
      return Self.key(bytes.span, 0..<bytes.count)
    }
  }

  /// Finds the index of a name, first after the one found last: members mostly come in order.
  func index(of range: Range<Int>, in bytes: Span<UInt8>, after last: Int) -> Int? {
    guard range.count <= 16 else { return nil }
    let key = Self.key(bytes, range)
    for index in last + 1..<keys.count where keys[index] == key { return index }
    for index in 0..<min(last + 1, keys.count) where keys[index] == key { return index }
    return nil
  }

  private static func key(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Key {
    let length = range.count
    let start = range.lowerBound
    if start + 16 <= bytes.count {
      let low = bytes.word(start)
      if length <= 8 { return Key(length: length, low: low & mask(length)) }
      return Key(length: length, low: low, high: bytes.word(start + 8) & mask(length - 8))
    }
    var key = Key(length: length)
    for index in 0..<length {
      let byte = UInt64(bytes[start + index]) << UInt64(index % 8 * 8)
      if index < 8 { key.low |= byte } else { key.high |= byte }
    }
    return key
  }

  private static func mask(_ length: Int) -> UInt64 { length >= 8 ? .max : 1 << UInt64(length * 8) - 1 }
}

// The objects of a cassette. The raw value of a key is its place in the table above it.
extension CassetteFileKeys {
  static let cassette = CassetteFileKeys(
    "$schema", "cassette", "origin", "matching", "match", "resource", "interactions")
  enum Cassette: Int { case schema, cassette, origin, matching, match, resource, interactions }

  static let interaction = CassetteFileKeys("id", "request", "response", "failure", "match", "replay", "recorded")
  enum Interaction: Int { case id, request, response, failure, match, replay, recorded }

  static let request = CassetteFileKeys("method", "url", "headers", "body")
  enum Request: Int { case method, url, headers, body }

  static let response = CassetteFileKeys(
    "interim", "status", "reason", "template", "headers", "coding", "body", "trailers")
  enum Response: Int { case interim, status, reason, template, headers, coding, body, trailers }

  static let interim = CassetteFileKeys("status", "headers")
  enum Interim: Int { case status, headers }

  static let body = CassetteFileKeys("json", "text", "base64", "file", "chunks", "style", "newline", "end")
  enum Body: Int { case json, text, base64, file, chunks, style, newline, end }

  static let chunk = CassetteFileKeys("after", "text", "base64")
  enum Chunk: Int { case after, text, base64 }

  static let failure = CassetteFileKeys("code", "name")
  enum Failure: Int { case code, name }

  static let recorded = CassetteFileKeys("at", "firstByte", "total", "by", "cut")
  enum Recorded: Int { case at, firstByte, total, by, cut }

  static let match = CassetteFileKeys(
    "method", "url", "path", "query", "origin", "headers", "recordedHeaders", "cookies", "authorization",
    "body", "priority")
  enum Match: Int {
    case method, url, path, query, origin, headers, recordedHeaders, cookies, authorization, body, priority
  }

  static let condition = CassetteFileKeys(
    "equals", "equalsIgnoringCase", "contains", "doesNotContain", "matches", "doesNotMatch", "absent", "oneOf",
    "atLeast", "above", "atMost", "below", "before", "after", "and", "or", "not", "includes", "hasExactly")
  enum Condition: Int, CaseIterable {
    case equals, equalsIgnoringCase, contains, doesNotContain, matches, doesNotMatch, absent, oneOf
    case atLeast, above, atMost, below, before, after
    case and, or, not, includes, hasExactly
  }

  /// The conditions first, at the same places.
  static let matchBody = CassetteFileKeys(
    "equals", "equalsIgnoringCase", "contains", "doesNotContain", "matches", "doesNotMatch", "absent", "oneOf",
    "atLeast", "above", "atMost", "below", "before", "after", "and", "or", "not", "json", "ignore", "extra", "order",
    "base64", "values", "form", "schema", "parts", "graphql", "jsonrpc")
  enum MatchBody: Int {
    case and = 14
    case or, not, json, ignore, extra, order, base64, values, form, schema, parts, graphql, jsonrpc
  }

  static let method = CassetteFileKeys("not")

  static let part = CassetteFileKeys("name", "filename", "headers", "body", "every")
  enum Part: Int { case name, filename, headers, body, every }

  static let graphQL = CassetteFileKeys("operation", "type", "query", "variables")
  enum GraphQL: Int { case operation, type, query, variables }

  static let jsonRPC = CassetteFileKeys("method", "params")
  enum JSONRPC: Int { case method, params }

  static let authorization = CassetteFileKeys("basic", "bearer")
  enum Authorization: Int { case basic, bearer }

  static let basic = CassetteFileKeys("user", "password")
  enum Basic: Int { case user, password }

  static let replay = CassetteFileKeys(
    "repeat", "order", "delay", "chunkDelay", "bytesPerSecond", "fault", "when", "then")
  enum Replay: Int { case `repeat`, order, delay, chunkDelay, bytesPerSecond, fault, when, then }

  static let fault = CassetteFileKeys("kind", "probability", "first", "every", "after")
  enum Fault: Int { case kind, probability, first, every, after }
}
