import CassetteHTTP
import CassetteJSON
internal import CassetteSystem

/// The values of `"recording"`.
private enum RecordingProtection: String, CaseIterable, Sendable {
  /// Tests never record into the file.
  case never
}

/// The grammar of a cassette: a table of keys for each type of object.
///
/// The reader, the writer and the JSON Schema use these tables; so does the reader of the control API's bodies.
package enum Grammar {
  /// The outermost object of the file.
  package static var root: ObjectFacts { cassette.facts }

  /// The definitions of the other objects.
  package static var objects: [ObjectFacts] {
    [
      interaction.facts, request.facts, response.facts, interim.facts, body.facts, chunk.facts, failure.facts,
      recorded.facts, match.facts, methods.facts, authorization.facts, basic.facts, condition.facts, matchBody.facts,
      part.facts, graphQL.facts, jsonRPC.facts, replay.facts, fault.facts,
    ]
  }

  @Sendable private static func always(_: some Any) -> Bool { true }

  static let cassette = ObjectTable<Cassette, Cassette>(
    "cassette", missing: "add \"cassette\": 1 as the first member",
    keys: [
      .member("$schema", \.schema, .text, "The location of this schema, for editors."),
      Key("cassette", schema: #""const": 1"#, "The version of the format.", isRequired: true) {
        reader, bytes, _ throws(CassetteError) in
        let start = reader.at
        try reader.skipValue(bytes)
        guard !bytes.extracting(start..<reader.at).equals([UInt8(ascii: "1")].span) else { return }
        try reader.report(bytes, start, "\"cassette\" is the version of the format and must be 1")
      } write: { writer, _ throws(CassetteError) in
        writer.member("cassette", token: "1")
      },
      .member("note", \.note, .text, "A comment: the purpose of this cassette."),
      .member("origin", \.origin, .origin, "The scheme and authority of relative URLs."),
      .part(
        "recording", Kind<RecordingProtection>.choice("must be"),
        "With never, tests play the file in every mode and do not record into it.",
        add: { $0.isProtected = $1 == .never },
        part: { $0.isProtected ? .never : nil }),
      .member("matching", \.matching, .choice("must be"), "How closely a request must match its recording."),
      .value(
        "match", \.match, .commonMatch, default: MatchRules(),
        "The default rules of all recordings: query, origin, headers, cookies, body."),
      .part(
        "resource", .resources, "Collections whose elements requests can create, change and delete.",
        add: { $0.resources = $1 }, part: { $0.resources.isEmpty ? nil : $0.resources }),
      Key("interactions", schema: "\"type\": \"array\", \"items\": { \(reference("interaction")) }") {
        reader, bytes, _ throws(CassetteError) in
        try reader.readInteractions(bytes)
      } write: { writer, cassette throws(CassetteError) in
        writer.open("[", as: "interactions")
        for (index, interaction) in cassette.interactions.enumerated() {
          writer.next()
          try writer.write(interaction, at: index)
        }
        writer.close("]")
      },
    ])

  static let interaction = ObjectTable<InteractionPlaces, Interaction>(
    "interaction", schema: #""oneOf": [{ "required": ["response"] }, { "required": ["failure"] }]"#,
    keys: [
      Key(
        "id", schema: #""type": "string", "minLength": 1"#, "Unique in the file; derived from the request if omitted."
      ) {
        reader, bytes, places throws(CassetteError) in
        let start = reader.at
        places.record.id = try reader.readString(bytes, "\"id\"") ?? 0
        if places.record.id > 0, reader.at - start == 2 {
          try reader.report(bytes, start, "\"id\" is empty", "omit it: an id is derived from the request")
        }
      } write: { writer, interaction throws(CassetteError) in
        let id = writer.id(of: interaction)
        if !id.isEmpty { writer.member("id", id) }
      },
      .text("note", .note, "A comment: the purpose of this recording.", at: \.record.note) { $0.note },
      .object("request", request, isRequired: true) { $0 },
      .object("response", response) { $0.response },
      .late("failure", .object(failure, new: FailureObject()), at: \.record.failure) {
        $0.failure.map { FailureObject(code: $0.code, name: $0.name) }
      },
      .part(
        "match", .object(match, new: MatchRules()), add: { $0.rules.match = $1 },
        part: { $0.match.isEmpty ? nil : $0.match }),
      .part("replay", .object(replay, new: ReplayObject())) {
        ($0.rules.replay, $0.record.repeatPolicy) = ($1.rules, $1.repeatPolicy)
      } part: {
        let object = ReplayObject(rules: $0.replay, repeatPolicy: $0.repeatPolicy)
        return object == ReplayObject() ? nil : object
      },
      .late("recorded", .object(recorded, new: RecordedFacts()), at: \.record.recorded) {
        $0.recorded == RecordedFacts() ? nil : $0.recorded
      },
    ]
  ) { reader, bytes, start, walk, places throws(CassetteError) in
    switch (walk.has("response"), walk.has("failure")) {
    case (false, false) where !reader.needsResponse: places.record.status = 200
    case _ where !reader.needsResponse: try reader.report(bytes, start, "a response is not compared: remove it")
    case (false, false) where !walk.hasUnknown: try reader.report(bytes, start, "\"response\" is missing")
    case (true, true): try reader.report(bytes, start, "\"response\" and \"failure\" must not occur together")
    default: break
    }
    // For HEAD and status 304, Content-Length is the length that the body would have had (RFC 9110 §8.6).
    // A body that the origin did not complete keeps the recorded length.
    if let length = places.contentLength, places.record.status != 304, !places.isCut,
      !reader.isHead(bytes, places.record)
    {
      reader.warn(bytes, length, "\"Content-Length\" is derived from the body on replay; remove it")
    }
  }

  static let request = ObjectTable<InteractionPlaces, Interaction>(
    "request",
    keys: [
      .text("method", .method, "Case matters (RFC 9110 §9.1).", isRequired: true, at: \.record.method) {
        $0.method.rawValue
      },
      .text("url", .target, "/path?query, or an absolute URL for another origin.", isRequired: true, at: \.record.url) {
        $0.url
      },
      Key("headers", schema: reference("headers")) { reader, bytes, places throws(CassetteError) in
        places.record.requestHeaders = UInt32(reader.at)
        if let length = try reader.readHeaders(bytes) {
          reader.warn(bytes, length, "\"Content-Length\" is derived from the body; remove it")
        }
      } write: { writer, interaction throws(CassetteError) in
        writer.write(interaction.requestHeaders, as: "headers")
      },
      Key("body", schema: reference("body")) { reader, bytes, places throws(CassetteError) in
        places.record.requestBody = try reader.readBody(bytes).place
      } write: { writer, interaction throws(CassetteError) in
        if let body = interaction.requestBody { try writer.write(body, isRequest: true) }
      },
    ])

  static let response = ObjectTable<InteractionPlaces, RecordedResponse>(
    "response",
    keys: [
      .late("interim", interims, "Interim (1xx) responses that preceded it (RFC 9110 §15.2).", at: \.record.interim) {
        $0.interim.isEmpty ? nil : $0.interim
      },
      Key(
        "status", schema: #""type": "integer", "minimum": 200, "maximum": 999"#, isRequired: true
      ) { reader, bytes, places throws(CassetteError) in
        places.record.status = try reader.readStatus(bytes)
      } write: { writer, response throws(CassetteError) in
        writer.member("status", token: String(response.status.code))
      },
      .text("reason", .reason, "The reason phrase if it is not the standard phrase.", at: \.record.reason) {
        $0.reason == $0.status.standardPhrase ? nil : $0.reason
      },
      Key(
        "template", schema: #""type": "boolean""#,
        "True if expressions such as {{query.page}} and {{uuid}} in headers and body are evaluated."
      ) { reader, bytes, places throws(CassetteError) in
        places.template = reader.at
        places.record.isTemplate = try reader.readFlag(bytes, "\"template\"") ?? false
      } write: { writer, response throws(CassetteError) in
        if response.isTemplate { writer.member("template", token: "true") }
      },
      Key("headers", schema: reference("headers")) { reader, bytes, places throws(CassetteError) in
        places.record.headers = UInt32(reader.at)
        places.contentLength = try reader.readHeaders(bytes)
      } write: { writer, response throws(CassetteError) in
        writer.write(response.headers, as: "headers", keepsEmpty: response.hasEmptyHeaders)
      },
      .text(
        "coding", .coding,
        "The content codings of the body on the wire, in order: gzip, or gzip, br. The cassette has the decoded body.",
        at: \.record.coding
      ) { $0.coding },
      Key("body", schema: reference("body")) { reader, bytes, places throws(CassetteError) in
        (places.record.body, places.isCut) = try reader.readBody(bytes)
      } write: { writer, response throws(CassetteError) in
        if let body = response.body { try writer.write(body, isRequest: false) }
      },
      Key("trailers", schema: reference("headers")) { reader, bytes, places throws(CassetteError) in
        places.record.trailers = UInt32(reader.at)
        _ = try reader.readHeaders(bytes, "\"trailers\"")
      } write: { writer, response throws(CassetteError) in
        writer.write(response.trailers, as: "trailers")
      },
    ]
  ) { reader, bytes, start, _, places throws(CassetteError) in
    if places.record.isTemplate { try reader.checkTemplates(bytes, from: start, flag: places.template ?? start) }
  }

  static let interims = Kind.object(interim, new: InterimResponse(status: 103)).list("an interim response")

  static let interim = ObjectTable<InterimResponse, InterimResponse>(
    "interim",
    keys: [
      .value("status", \.status, .interimStatus, default: nil),
      .value("headers", \.headers, .headers, default: []),
    ])

  /// A body in one of its forms, which are the first five keys.
  static let body = ObjectTable<BodyObject, BodyObject>(
    "body", "A body, with exactly one of json, text, base64, file and chunks.",
    schema: """
      "oneOf": [{ "required": ["json"] }, { "required": ["text"] }, { "required": ["base64"] },
      { "required": ["file"] }, { "required": ["chunks"] }],
      "dependencies": { "style": ["json"], "newline": ["json"], "end": ["chunks"] }
      """,
    hint: "write {\"json\": {…}}",
    keys: [
      Key("json", schema: "", "Any JSON; the order of keys and the form of numbers are preserved.") {
        reader, bytes, body throws(CassetteError) in
        let start = reader.at
        try reader.skipValue(bytes)
        body.json = start..<reader.at
      } write: { writer, body throws(CassetteError) in
        guard let json = body.written else { return }
        writer.key("json")
        writer.body(json)
      },
      .member("text", \.text, .lines),
      .member("base64", \.base64, .base64(width: 76)),
      .member("file", \.file, .file, "The path of a file in the cassette's folder: bodies/logo.png."),
      .member("chunks", \.chunks, Kind.object(chunk, new: BodyChunk(bytes: [])).list("a chunk")),
      .value("style", \.style, .choice(), default: .compact, "The formatting of the json."),
      .value("newline", \.newline, .flag, default: false, "True if the json ends with a line break."),
      .value("end", \.end, .choice(), default: .complete, "How the stream ended, if the origin did not complete it."),
    ]
  ) { reader, bytes, start, walk, _ throws(CassetteError) in
    let forms = walk.seen & 0b11111
    if walk.hasUnknown { return }
    if forms.nonzeroBitCount != 1 {
      try reader.report(
        bytes, start, "\"body\" must have exactly one of \"json\", \"text\", \"base64\", \"file\" and \"chunks\"")
    } else if forms != 0b00001, walk.seen & 0b0110_0000 != 0 {
      try reader.report(bytes, start, "\"style\" and \"newline\" require \"json\"")
    } else if forms != 0b10000, walk.seen & 0b1000_0000 != 0 {
      try reader.report(bytes, start, "\"end\" requires \"chunks\"")
    }
  }

  static let chunk = ObjectTable<BodyChunk, BodyChunk>(
    "chunk", schema: #""oneOf": [{ "required": ["text"] }, { "required": ["base64"] }]"#, isLine: always,
    keys: [
      .part(
        "after", .seconds(atMost: Latency.longest), "The pause before the chunk in seconds.", add: { $0.after = $1 },
        part: { $0.after }),
      .part(
        "text", .line, add: { $0.bytes = $1 }, part: { BodyText.isText($0.bytes) ? $0.bytes : nil }),
      .part(
        "base64", .base64(), add: { $0.bytes = $1 }, part: { BodyText.isText($0.bytes) ? nil : $0.bytes }),
    ]
  ) { reader, bytes, start, walk, _ throws(CassetteError) in
    if !walk.hasUnknown, walk.has("text") == walk.has("base64") {
      try reader.report(bytes, start, "a chunk must have exactly one of \"text\" and \"base64\"")
    }
  }

  static let failure = ObjectTable<FailureObject, FailureObject>(
    "failure", "The error of a failed exchange, instead of a response, with the codes of URLError.",
    schema: #""anyOf": [{ "required": ["code"] }, { "required": ["name"] }]"#, isLine: always,
    keys: [
      .member("code", \.code, .int32("a whole number, such as a code of URLError")),
      Key("name", schema: #""type": "string""#) { reader, bytes, failure throws(CassetteError) in
        failure.nameStart = reader.at
        failure.name = try reader.readText(bytes, "\"name\"")
      } write: { writer, failure throws(CassetteError) in
        if let name = failure.name { writer.member("name", name) }
      },
    ]
  ) { reader, bytes, start, walk, failure throws(CassetteError) in
    guard walk.lacks("code") else { return }
    guard walk.has("name") else {
      return try reader.report(bytes, start, "\"failure\" must have a \"code\" or a \"name\"")
    }
    guard let name = failure.name, RecordedFailure.code(named: name) == nil else { return }
    try reader.report(
      bytes, failure.nameStart, "\"\(name)\" is not the name of a URLError code, and \"code\" is missing",
      question(about: name, among: RecordedFailure.names))
  }

  static let recorded = ObjectTable<RecordedFacts, RecordedFacts>(
    "recorded", "The time of the recording, its duration in seconds, and the test that recorded it.", isLine: always,
    keys: [
      .member("at", \.at, .time),
      .member("firstByte", \.firstByte, .seconds()),
      .member("total", \.total, .seconds()),
      .member("by", \.by, .text),
      .value("cut", \.isCut, .flag, default: false, "The client disconnected before the end of the response."),
    ])

  static let replay = ObjectTable<ReplayObject, ReplayObject>(
    "replay", "How the recording is played.",
    isLine: { $0.rules.when.isEmpty && $0.rules.then.isEmpty && ($0.fault?.terms.isEmpty ?? true) },
    keys: [
      .value(
        "repeat", \.repeatPolicy, .choice(), default: .last,
        "The behavior after the last of several recordings was played."),
      .member(
        "order", \.rules.order, .choice(),
        "Recordings are chosen only by the number of requests, not by preceding changes."),
      .member("delay", \.rules.delay, .latency),
      .member("chunkDelay", \.rules.chunkDelay, .latency, "The delay before each piece of a streamed body."),
      .member("bytesPerSecond", \.rules.bytesPerSecond, .count(from: 1)),
      .member("fault", \.fault, .fault),
      .value("when", \.rules.when, .states, default: [], "Scenarios, and the states in which the recording answers."),
      .value(
        "then", \.rules.then, .states, default: [], "Scenarios, and their states after the recording has answered."),
    ])

  static let fault = ObjectTable<FaultObject, FaultObject>(
    "fault", "A fault, and the conditions under which it occurs.", isLine: always,
    keys: [
      .value("kind", \.kind, .choice(), default: nil),
      .member("probability", \.terms.probability, .probability),
      .member("first", \.terms.first, .count(from: 0), "The fault occurs only this many times."),
      .member("every", \.terms.every, .count(from: 1), "The fault occurs at every n-th request."),
      .member(
        "after", \.terms.after, .count(from: 0), "The number of bytes of the body that are sent before the fault."),
    ])
}
