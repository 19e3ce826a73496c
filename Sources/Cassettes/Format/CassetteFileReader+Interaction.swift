import CassetteJSON
internal import CassetteSystem

/// Reading an interaction: its request, and its outcome.
extension CassetteFileReader {
  mutating func readInteraction(_ bytes: Span<UInt8>) throws(CassetteError) {
    let start = at
    guard var walk = try open(bytes, "an interaction", Object.interaction) else { return }
    var record = CassetteFileRecord(start: UInt32(start))
    var contentLength: Int?
    var rules = InteractionRules()
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .id:
        let value = at
        record.id = try readString(bytes, "\"id\"") ?? 0
        if record.id > 0, at - value == 2 {
          try report(bytes, value, "\"id\" is empty", "leave it out to have one made")
        }
      case .request: try readRequest(bytes, &record)
      case .response: contentLength = try readResponse(bytes, &record)
      case .failure: try readFailure(bytes, &record)
      case .match: rules.match = try readMatch(bytes)
      case .replay: rules.replay = try readReplay(bytes, &record)
      case .recorded: try readRecorded(bytes, &record)
      }
    }
    if walk.lacks(.request) { try report(bytes, start, "\"request\" is missing") }
    switch (walk.has(.response), walk.has(.failure)) {
    case (false, false) where !walk.hasUnknown: try report(bytes, start, "\"response\" is missing")
    case (true, true): try report(bytes, start, "\"response\" and \"failure\" exclude each other")
    default: break
    }
    // RFC 9110 §8.6: these two say what the length would have been.
    if let contentLength, record.status != 304, !isHead(bytes, record) {
      warn(bytes, contentLength, "\"Content-Length\" is derived from the body on replay; remove it")
    }
    if !rules.match.isEmpty || !rules.replay.isEmpty { self.rules[UInt32(records.count)] = rules }
    records.append(record)
  }

  private func isHead(_ bytes: Span<UInt8>, _ record: CassetteFileRecord) -> Bool {
    record.method > 0 && CassetteFileSource.text(at: record.method, in: bytes) == "HEAD"
  }

  private mutating func readRequest(_ bytes: Span<UInt8>, _ record: inout CassetteFileRecord) throws(CassetteError) {
    let start = at
    guard var walk = try open(bytes, "\"request\"", Object.request) else { return }
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .method:
        record.method = try readChecked(bytes, "\"method\"", CassetteFileGrammar.isToken, "a method such as \"GET\"")
      case .url:
        record.url = try readChecked(
          bytes, "\"url\"", CassetteFileGrammar.isTarget,
          "\"/path?query\" or an absolute URL, without spaces and without \"#\"")
        measureTarget(bytes, record.url)
      case .headers:
        let start = at
        record.requestHeaders = UInt32(at)
        if let length = try readHeaders(bytes) {
          warn(bytes, length, "\"Content-Length\" is derived from the body; remove it")
        }
        measureFields(bytes.extracting(start..<at))
      case .body:
        let (start, files) = (at, fileBodies)
        record.requestBody = try readBody(bytes)
        requestMeasures.body = max(requestMeasures.body, at - start)
        if fileBodies > files { requestFiles.append(record.requestBody) }
      }
    }
    if walk.lacks(.method) { try report(bytes, start, "\"method\" is missing") }
    if walk.lacks(.url) { try report(bytes, start, "\"url\" is missing") }
  }

  private mutating func measureTarget(_ bytes: Span<UInt8>, _ quote: UInt32) {
    var length = at - Int(quote)
    // Only what is longer than what was longest so far, or what a secret was taken out of, is looked at again.
    let target = bytes.extracting(Int(quote)..<at)
    if quote > 0, RecordedTarget.hasPlaceholder(target) {
      length = RequestMeasures.length(of: CassetteFileSource.text(at: quote, in: bytes)) + RequestMeasures.secret
    }
    requestMeasures.target = max(requestMeasures.target, length)
  }

  private mutating func measureFields(_ list: Span<UInt8>) {
    guard list.count > requestMeasures.fieldBytes else { return }
    requestMeasures.fieldBytes = list.count
    // A pair is at least `["a",""],`.
    requestMeasures.fields = max(requestMeasures.fields, list.withUnsafeBytes { $0.count { $0 == UInt8(ascii: "[") } })
  }

  private mutating func readResponse(
    _ bytes: Span<UInt8>, _ record: inout CassetteFileRecord
  ) throws(CassetteError) -> Int? {
    let start = at
    guard var walk = try open(bytes, "\"response\"", Object.response) else { return nil }
    var contentLength: Int?
    var template = start
    while let key = try nextKey(bytes, &walk) {
      switch key {
      case .status:
        try readStatus(bytes, &record)
      case .reason:
        record.reason = try readChecked(
          bytes, "\"reason\"", CassetteFileGrammar.isFieldValue, "a phrase without line ends")
      case .template:
        template = at
        record.isTemplate = try readFlag(bytes, "\"template\"") ?? false
      case .headers:
        record.headers = UInt32(at)
        contentLength = try readHeaders(bytes)
      case .body:
        record.body = try readBody(bytes)
      case .coding:
        record.coding = try readChecked(
          bytes, "\"coding\"", CassetteFileGrammar.isTokenList, "content codings such as \"gzip\" or \"gzip, br\"")
      case .interim:
        record.interim = UInt32(at)
        try readInterim(bytes)
      case .trailers:
        record.trailers = UInt32(at)
        _ = try readHeaders(bytes, "\"trailers\"")
      }
    }
    if walk.lacks(.status) { try report(bytes, start, "\"status\" is missing") }
    if record.isTemplate { try checkTemplates(bytes, from: start, flag: template) }
    return contentLength
  }

  /// Interim responses, each a status and perhaps fields.
  private mutating func readInterim(_ bytes: Span<UInt8>) throws(CassetteError) {
    guard var list = try openList(bytes, "\"interim\"") else { return }
    while try nextElement(bytes, &list) {
      let start = at
      guard var walk = try open(bytes, "an interim response", Object.interim) else { continue }
      while let key = try nextKey(bytes, &walk) {
        switch key {
        case .status:
          let value = at
          try skipValue(bytes)
          // RFC 9110 §15.2.2: another protocol is no answer on the way to this one.
          let token = MemberWalk.token(at: value, in: bytes)
          if token.utf8.count != 3 || token == "101" || !(100...199).contains(Int(token) ?? 0) {
            try report(bytes, value, "the \"status\" of an interim response is from 100 to 199, and not 101")
          }
        case .headers: _ = try readHeaders(bytes)
        }
      }
      if walk.lacks(.status) { try report(bytes, start, "\"status\" is missing") }
    }
  }

  private mutating func readStatus(_ bytes: Span<UInt8>, _ record: inout CassetteFileRecord) throws(CassetteError) {
    let start = at
    try skipValue(bytes)
    // Three digits, the first not zero, nothing else: RFC 9110 §15.
    let token = MemberWalk.token(at: start, in: bytes)
    let status = token.utf8.count == 3 && token.utf8.allSatisfy(\.isDigit) ? UInt16(token) ?? 0 : 0
    // RFC 9110 §15.2: an interim response is followed by another one; alone it leaves the client waiting.
    if (100...199).contains(status) { return try report(bytes, start, "\"status\" must be final: 200 to 999") }
    guard (200...999).contains(status) else {
      return try report(bytes, start, "\"status\" must be a whole number from 200 to 999")
    }
    record.status = status
  }

  /// A string that must pass a test; 0 when it does not.
  private mutating func readChecked(
    _ bytes: Span<UInt8>, _ what: String, _ isValid: (Span<UInt8>) -> Bool, _ kind: String
  ) throws(CassetteError) -> UInt32 {
    let start = at
    guard let quote = try readString(bytes, what) else { return 0 }
    guard Self.withContent(at: quote, in: bytes, isValid) else {
      try report(bytes, start, "\(what) must be \(kind)")
      return 0
    }
    return quote
  }

  /// Checks the templates of a response, which starts at an offset and ends at the current position of the reader.
  private mutating func checkTemplates(
    _ bytes: Span<UInt8>, from start: Int, flag: Int
  ) throws(CassetteError) {
    guard let engine = engines.templates else {
      let error = EngineError.notLinked("template")
      return try report(bytes, flag, error.message, error.suggestion)
    }
    let folder = folder
    let errors = engine.errors(inResponse: Array(bytes.extracting(start..<at))) { path in
      // An unreadable body file is reported as a separate error where the body is read.
      folder.flatMap { try? CassetteFile.bodyBytes(of: path, in: $0) }
    }
    for error in errors { try report(bytes, start + error.offset, error.message, error.suggestion) }
  }
}
